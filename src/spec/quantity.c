#include "assay/quantity.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/array.h"
#include "spec/unit.h"

struct reader {
	const char *at;
	enum dimension dimension;
	bool suspicious;
};

/* A decimal number without loss: mantissa / 10^decimals x multiplier. */
struct decimal {
	uint64_t mantissa, multiplier;
	double value;
	unsigned decimals;
	bool negative, exact;
};

static void skip_blanks(struct reader *reader)
{
	while (*reader->at == ' ')
		reader->at++;
}

static bool accept(struct reader *reader, const char *word)
{
	skip_blanks(reader);
	if (strncasecmp(reader->at, word, strlen(word)) != 0)
		return false;
	reader->at += strlen(word);
	return true;
}

static void digit_add(struct decimal *decimal, char digit)
{
	uint64_t value = (uint64_t)(digit - '0');

	if (decimal->mantissa > (UINT64_MAX - value) / 10)
		decimal->exact = false;
	else
		decimal->mantissa = decimal->mantissa * 10 + value;
}

/* Digits with an optional fraction; a comma before three digits groups them. */
static bool read_digits(struct reader *reader, struct decimal *decimal)
{
	const char *at = reader->at;
	bool fraction = false, any = false;
	char plain[64];
	size_t len = 0;

	for (; len < sizeof(plain) - 1; at++) {
		if (isdigit((unsigned char)*at)) {
			digit_add(decimal, *at);
			decimal->decimals += fraction;
			any = true;
		} else if (*at == '.' && at[1] != '.' && !fraction) {
			fraction = true;
		} else if (*at == ',' && any && !fraction && isdigit((unsigned char)at[1]) &&
			isdigit((unsigned char)at[2]) && isdigit((unsigned char)at[3]) &&
			!isdigit((unsigned char)at[4])) {
			continue;
		} else {
			break;
		}
		plain[len++] = *at;
	}
	plain[len] = '\0';
	decimal->value = strtod(plain, NULL);
	reader->at = at;
	return any;
}

/* "E10-17" is how a superscript gets lost: 10^-17 was meant. */
static void read_exponent(struct reader *reader, struct decimal *decimal)
{
	const char *at = reader->at;
	char *end;

	if (*at != 'e' && *at != 'E')
		return;
	if (!strncmp(at + 1, "10-", 3) && isdigit((unsigned char)at[4])) {
		at += 2;
		reader->suspicious = true;
	}
	long exponent = strtol(at + 1, &end, 10);
	if (end == at + 1)
		return;
	reader->at = end;
	decimal->value *= pow(10, (double)exponent);
	decimal->exact = false;
}

static void read_multiplier(struct reader *reader, struct decimal *decimal)
{
	static const struct {
		const char *word;
		uint64_t factor;
		bool suspicious;
	} multipliers[] = {
		{ "million", 1000000, false },
		{ "万", 10000, true },
		{ "萬", 10000, true },
		{ "k ", 1000, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(multipliers); i++) {
		if (!accept(reader, multipliers[i].word))
			continue;
		decimal->multiplier = multipliers[i].factor;
		decimal->value *= (double)multipliers[i].factor;
		reader->suspicious |= multipliers[i].suspicious;
	}
}

static bool read_decimal(struct reader *reader, struct decimal *decimal)
{
	*decimal = (struct decimal) { .multiplier = 1, .exact = true };
	skip_blanks(reader);
	if (*reader->at == '-' || *reader->at == '+')
		decimal->negative = *reader->at++ == '-';
	if (!read_digits(reader, decimal))
		return false;
	read_exponent(reader, decimal);
	read_multiplier(reader, decimal);
	return true;
}

static size_t unit_length(const char *at)
{
	size_t len = 0;

	while (at[len] && at[len] != ' ' && at[len] != ',' && strncmp(at + len, "..", 2) != 0)
		len++;
	return len;
}

/* The unit that follows, or none. */
static const struct unit_word *read_unit(struct reader *reader)
{
	skip_blanks(reader);
	size_t len = unit_length(reader->at);
	const struct unit_word *unit = unit_find(reader->dimension, reader->at, len);

	if (unit)
		reader->at += len;
	return unit;
}

static struct number convert(const struct decimal *decimal, const struct unit_word *unit)
{
	double value = decimal->value * unit->factor * (decimal->negative ? -1 : 1);
	struct number number = { .value = value };
	unsigned __int128 exact = decimal->mantissa;

	if (!decimal->exact || decimal->negative || !unit->exact)
		return number;
	exact *= unit->exact;
	exact *= decimal->multiplier;
	for (unsigned i = 0; i < decimal->decimals; i++) {
		if (exact % 10)
			return number;
		exact /= 10;
	}
	if (exact > UINT64_MAX)
		return number;
	number.exact = (uint64_t)exact;
	number.is_exact = true;
	return number;
}

static enum operator read_operator(struct reader *reader)
{
	static const struct {
		const char *word;
		enum operator op;
	} operators[] = {
		{ ">=", OPERATOR_AT_LEAST },
		{ "<=", OPERATOR_AT_MOST },
		{ ">", OPERATOR_AT_LEAST },
		{ "<", OPERATOR_AT_MOST },
		{ "~", OPERATOR_ABOUT },
		{ "=", OPERATOR_EQUAL },
	};

	for (size_t i = 0; i < ARRAY_LEN(operators); i++)
		if (accept(reader, operators[i].word))
			return operators[i].op;
	return OPERATOR_NONE;
}

static const char *expected_unit(const struct reader *reader, struct quantity_room *room)
{
	char units[192];

	if (*dimension_unit(reader->dimension))
		snprintf(room->message, sizeof(room->message), "\"%s\": expected a unit of %s",
			reader->at, dimension_units(reader->dimension, units, sizeof(units)));
	else
		snprintf(room->message, sizeof(room->message),
			"\"%s\": expected nothing after the number", reader->at);
	return room->message;
}

/* One number or two. A unit that is left out is that of the next number. */
static const char *read_numbers(
	struct reader *reader, struct quantity *quantity, struct quantity_room *room)
{
	struct decimal decimals[QUANTITY_LIST_MAX];
	const struct unit_word *units[QUANTITY_LIST_MAX] = { NULL };
	size_t count = 0;

	do {
		if (count == QUANTITY_LIST_MAX)
			return "expected at most 16 numbers";
		if (!read_decimal(reader, &decimals[count]))
			return "expected a number";
		units[count++] = read_unit(reader);
		if (count == 1 && accept(reader, ".."))
			quantity->op = OPERATOR_RANGE;
		else if (quantity->op != OPERATOR_RANGE && accept(reader, ","))
			quantity->op = OPERATOR_ONE_OF;
		else
			break;
	} while (true);
	skip_blanks(reader);
	if (*reader->at || !units[count - 1])
		return expected_unit(reader, room);
	for (size_t i = count; i-- > 0;) {
		if (!units[i])
			units[i] = units[i + 1];
		room->list[i] = convert(&decimals[i], units[i]);
	}
	quantity->list = room->list;
	quantity->list_count = (uint8_t)count;
	quantity->low = room->list[0];
	quantity->high = room->list[count - 1];
	return NULL;
}

/* "1 per 1e17 bits" is the other way to write 1e-17. */
static const char *read_probability(struct reader *reader, struct quantity *quantity)
{
	struct decimal one, bits;

	if (!read_decimal(reader, &one))
		return "expected a probability per bit, such as 1e-17";
	quantity->low.value = one.value;
	if (accept(reader, "per") || accept(reader, "in")) {
		if (!read_decimal(reader, &bits) || bits.value <= 0)
			return "expected a number of bits";
		quantity->low.value /= bits.value;
		accept(reader, "bits");
	}
	skip_blanks(reader);
	quantity->high = quantity->low;
	return *reader->at ? "expected nothing after the probability" : NULL;
}

const char *quantity_read(const char *text, enum dimension dimension, struct quantity *quantity,
	struct quantity_room *room)
{
	struct reader reader = { .at = text, .dimension = dimension };
	const char *wrong = NULL;

	*quantity = (struct quantity) { .op = read_operator(&reader) };
	if (accept(&reader, "unlimited")) {
		quantity->op = OPERATOR_UNLIMITED;
		quantity->low.value = quantity->high.value = INFINITY;
		wrong = *reader.at ? "expected nothing after \"unlimited\"" : NULL;
	} else if (dimension == DIMENSION_PROBABILITY) {
		wrong = read_probability(&reader, quantity);
	} else {
		wrong = read_numbers(&reader, quantity, room);
	}
	quantity->suspicious = reader.suspicious;
	return wrong;
}
