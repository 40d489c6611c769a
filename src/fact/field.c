/* Fields of layouts: from bytes to a fact. */
#include "fact/layout.h"

#include <string.h>

static bool load(struct page_id id, struct bytes bytes, size_t at, size_t width, uint64_t *value)
{
	/* The ATA copy in VPD page 89h is little endian too. */
	bool little = page_is_ata(id) || (id.kind == PAGE_VPD && id.page == 0x89);

	return little ? bytes_le(bytes, at, width, value) : bytes_be(bytes, at, width, value);
}

bool conditions_hold(const struct condition *when, struct page_id id, struct bytes bytes)
{
	uint64_t value;

	for (; when && when->width; when++)
		if (!load(id, bytes, when->at, when->width, &value) ||
			(value & when->mask) != when->equals)
			return false;
	return true;
}

static uint64_t ones(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static bool is_unknown(const struct field *field, uint64_t value, unsigned bits)
{
	return ((field->unknown & UNKNOWN_ZERO) && value == 0) ||
		((field->unknown & UNKNOWN_ONES) && value == ones(bits)) ||
		((field->unknown & UNKNOWN_SIGN) && value == UINT64_C(1) << (bits - 1));
}

static int64_t sign_extended(uint64_t value, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return (int64_t)((value ^ sign) - sign);
}

static const char *word_of(const struct word *words, uint64_t value)
{
	for (; words && words->word; words++)
		if (words->value == value)
			return words->word;
	return NULL;
}

static struct value scaled(const struct field *field, struct value value)
{
	double number;

	if (field->format == FORMAT_WHOLE && field->divide > 1)
		return value_uint(value.uint / field->divide);
	if (field->divide > 1 && value_number(value, &number))
		return value_real(number * (field->multiply ? field->multiply : 1) / field->divide);
	if (field->multiply > 1 && value.kind == VALUE_UINT)
		return __builtin_mul_overflow(value.uint, field->multiply, &value.uint)
			? value_null()
			: value;
	if (field->multiply > 1)
		value.sint *= field->multiply;
	return value;
}

static struct value value_of(const struct field *field, uint64_t value, unsigned bits)
{
	const char *word;

	switch (field->format) {
	case FORMAT_SINT:
		return scaled(field, value_int(sign_extended(value, bits)));
	case FORMAT_FLAG:
		return value_flag(value != 0);
	case FORMAT_FLAG_NOT:
		return value_flag(value == 0);
	case FORMAT_ENUM:
		word = word_of(field->words, value);
		return word ? value_text(word) : value_null();
	default:
		return scaled(field, value_uint(value));
	}
}

static void add_text(
	const struct field *field, const struct key *key, struct source source, struct facts *facts)
{
	char text[256];
	size_t len = bytes_text(source.raw, field->format == FORMAT_ATA_TEXT, text, sizeof(text));

	facts_add(
		facts, key, value_text(text), len ? FACT_KNOWN : FACT_UNKNOWN, source, field->rank);
}

static void add_number(const struct field *field, const struct key *key, struct source source,
	uint64_t value, unsigned bits, struct facts *facts)
{
	enum fact_state state = FACT_KNOWN;
	struct value decoded = value_of(field, value, bits);

	if (is_unknown(field, value, bits))
		state = FACT_UNKNOWN;
	else if (decoded.kind == VALUE_NULL)
		state = FACT_INVALID;
	facts_add(facts, key, decoded, state, source, field->rank);
}

void field_decode(const struct field *field, struct page_id id, struct bytes bytes, size_t offset,
	int32_t parameter, struct facts *facts)
{
	const struct key *key = decoder_key(field->key);
	size_t width = field->width;
	uint64_t value;

	if (field->at >= bytes.len || !key || !conditions_hold(field->when, id, bytes))
		return;
	if (!width)
		width = bytes.len - field->at;
	struct source source = source_page(
		id, offset + field->at, bytes_cut(bytes, field->at, width));

	source.parameter = parameter;
	if (field->format == FORMAT_TEXT || field->format == FORMAT_ATA_TEXT) {
		add_text(field, key, source, facts);
		return;
	}
	if (!load(id, bytes, field->at, width, &value))
		return;
	unsigned bits = field->bits ? field->bits : (unsigned)width * 8 - field->low_bit;

	add_number(field, key, source, value >> field->low_bit & ones(bits), bits, facts);
}
