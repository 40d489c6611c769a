/*
 * Errors that an ATA drive logged with the commands before them: ACS-4 9 (03h
 * extended comprehensive, 10h NCQ command error), ACS-3 A (01h summary, 02h
 * comprehensive).
 */
#include "ata_command.h"
#include "ata_ring.h"
#include "errors.h"

enum { NOWHERE = 0xff, COMMANDS = 5, SATURATED = 0xffff };

/* Where the registers stand in a structure. */
struct registers_at {
	uint8_t control, feature, count, width; /* width of feature and count */
	uint8_t lba[6];                         /* from bit 7:0 on */
	uint8_t device, last;                   /* last: command, or status */
};

/* One form of the log; all numbers are bytes. */
struct shape {
	struct ata_ring ring;
	uint8_t rank; /* of its count of errors */
	uint16_t count_at;
	uint8_t command_len, time_at;               /* in a command */
	uint8_t error_at;                           /* in an entry; the error's own bytes follow */
	uint8_t error_register, state_at, hours_at; /* in the error */
	struct registers_at command, error;
};

static const struct shape shapes[] = {
	{ .ring = { 0x03, PAGE_ATA_LOG, 2, 2, 4, 4, 124, false },
		.rank = 0,
		.count_at = 500,
		.command_len = 18,
		.time_at = 14,
		.error_at = 90,
		.error_register = 1,
		.state_at = 31,
		.hours_at = 32,
		.command = { 0, 1, 3, 2, { 5, 7, 9, 6, 8, 10 }, 11, 12 },
		.error = { 0, NOWHERE, 2, 2, { 4, 6, 8, 5, 7, 9 }, 10, 11 } },
	{ .ring = { 0x02, PAGE_SMART_LOG, 1, 1, 5, 2, 90, false },
		.rank = 1,
		.count_at = 452,
		.command_len = 12,
		.time_at = 8,
		.error_at = 60,
		.error_register = 1,
		.state_at = 27,
		.hours_at = 28,
		.command = { 0, 1, 2, 1, { 3, 4, 5, NOWHERE, NOWHERE, NOWHERE }, 6, 7 },
		.error = { NOWHERE, NOWHERE, 2, 1, { 3, 4, 5, NOWHERE, NOWHERE, NOWHERE }, 6, 7 } },
	{ .ring = { 0x01, PAGE_SMART_LOG, 1, 1, 5, 2, 90, true },
		.rank = 2,
		.count_at = 452,
		.command_len = 12,
		.time_at = 8,
		.error_at = 60,
		.error_register = 1,
		.state_at = 27,
		.hours_at = 28,
		.command = { 0, 1, 2, 1, { 3, 4, 5, NOWHERE, NOWHERE, NOWHERE }, 6, 7 },
		.error = { NOWHERE, NOWHERE, 2, 1, { 3, 4, 5, NOWHERE, NOWHERE, NOWHERE }, 6, 7 } },
};

static const struct column error_columns[] = {
	{ "index", NULL, UNIT_NONE },     /* 1: the newest */
	{ "number", "Error", UNIT_NONE }, /* since the drive was made */
	{ "power_on_hours", "Hours", UNIT_HOURS },
	{ "estimated_power_on_hours", NULL, UNIT_HOURS },
	{ "state", "State", UNIT_NONE },
	{ "command", "Command", UNIT_NONE },
	{ "command_code", NULL, UNIT_NONE },
	{ "error", NULL, UNIT_NONE },
	{ "error_text", "Error bits", UNIT_NONE },
	{ "status", NULL, UNIT_NONE },
	{ "lba", "LBA", UNIT_NONE },
	{ "count", "Count", UNIT_NONE },
	{ "device", NULL, UNIT_NONE },
	{ "device_control", NULL, UNIT_NONE },
};
const struct table table_error_log = {
	.name = "error_log",
	.label = "Error log",
	.columns = error_columns,
	.column_count = ARRAY_LEN(error_columns),
};

static const struct column command_columns[] = {
	{ "error_index", "Error", UNIT_NONE }, /* index of the table error_log */
	{ "step", "Step", UNIT_NONE },         /* 5: the one that failed */
	{ "timestamp_ms", "Time", UNIT_MILLISECONDS },
	{ "command", "Command", UNIT_NONE },
	{ "command_code", NULL, UNIT_NONE },
	{ "feature", "Feature", UNIT_NONE },
	{ "count", "Count", UNIT_NONE },
	{ "lba", "LBA", UNIT_NONE },
	{ "device", NULL, UNIT_NONE },
	{ "device_control", NULL, UNIT_NONE },
};
const struct table table_error_log_commands = {
	.name = "error_log_commands",
	.label = "Commands before logged errors",
	.columns = command_columns,
	.column_count = ARRAY_LEN(command_columns),
	.detail = true,
};

static const struct column ncq_columns[] = {
	{ "queued", "Queued", UNIT_NONE },
	{ "tag", "Tag", UNIT_NONE },
	{ "status", NULL, UNIT_NONE },
	{ "error", NULL, UNIT_NONE },
	{ "error_text", "Error bits", UNIT_NONE },
	{ "lba", "LBA", UNIT_NONE },
	{ "count", "Count", UNIT_NONE },
	{ "device", NULL, UNIT_NONE },
	{ "sense_key", "Key", UNIT_NONE },
	{ "asc", "ASC", UNIT_NONE },
	{ "ascq", "ASCQ", UNIT_NONE },
};
const struct table table_ncq_error = {
	.name = "ncq_error",
	.label = "Last error of a queued command",
	.columns = ncq_columns,
	.column_count = ARRAY_LEN(ncq_columns),
	.detail = true,
};

static const char *error_text(uint8_t bits, struct facts *facts)
{
	static const char *const names[] = { "ICRC", "UNC", "MC", "IDNF", "MCR", "ABRT", "NM",
		"AMNF" };
	const char *text = "";

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (bits & 0x80u >> i)
			text = facts_printf(facts, "%s%s%s", text, *text ? " " : "", names[i]);
	return text;
}

static struct value state_of(uint8_t byte, struct facts *facts)
{
	static const char *const states[] = { "unknown", "sleep", "standby", "active or idle",
		"self-test or off-line collection" };
	unsigned state = byte & 15;

	if (state < ARRAY_LEN(states))
		return value_text(states[state]);
	return value_text(facts_printf(facts, "vendor specific (%Xh)", state));
}

static uint64_t gathered(struct bytes bytes, const uint8_t *at, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		if (at[i] != NOWHERE)
			value |= (uint64_t)bytes_u8(bytes, at[i]) << 8 * i;
	return value;
}

/* With 28 bits, the upper four are in the device register; where its bit 6 is
 * clear, it is no LBA but a cylinder, head and sector. */
static struct value lba_of(struct bytes bytes, const struct registers_at *at, bool plain)
{
	static const uint8_t ascending[] = { 0, 1, 2, 3, 4, 5 };
	struct bytes six = bytes_cut(bytes, at->lba[0], ARRAY_LEN(ascending));
	uint8_t device = bytes_u8(bytes, at->device);
	uint64_t lba = gathered(bytes, at->lba, ARRAY_LEN(at->lba));

	if (at->lba[3] != NOWHERE)
		return value_uint(plain ? gathered(six, ascending, ARRAY_LEN(ascending)) : lba);
	if (!(device & 0x40))
		return value_null();
	return value_uint(lba | (uint64_t)(device & 15) << 24);
}

static void set_registers(struct row *row, struct bytes bytes, const struct registers_at *at,
	bool plain, const char *last)
{
	uint64_t count = 0;

	bytes_le(bytes, at->count, at->width, &count);
	row_set(row, "count", value_uint(count));
	row_set(row, "lba", lba_of(bytes, at, plain));
	row_set(row, "device", value_uint(bytes_u8(bytes, at->device)));
	if (at->control != NOWHERE)
		row_set(row, "device_control", value_uint(bytes_u8(bytes, at->control)));
	row_set(row, last, value_uint(bytes_u8(bytes, at->last)));
}

static void set_command_name(struct row *row, uint8_t code)
{
	const char *name = ata_command_name(code);

	if (name)
		row_set(row, "command", value_text(name));
}

/* ---- Logs 01h, 02h, 03h ---- */

/* An entry of the log, and what it is the how-manyth of. */
struct entry {
	const struct shape *shape;
	struct page page;
	size_t at; /* of it in the page */
	struct bytes bytes;
	size_t index;    /* 1: the newest */
	uint64_t number; /* 0: not known */
	bool plain;      /* as struct listing */
};

/* What all entries of a log have in common. */
struct listing {
	const struct capture *capture;
	const struct shape *shape;
	size_t slots;
	uint64_t count; /* of errors, as the drive says */
	bool plain;     /* the bytes of LBAs stand in plain order, not in the standard's */
};

static struct source source_in_entry(const struct entry *entry, size_t at, size_t len)
{
	return source_page(entry->page.id, entry->page.offset + entry->at + at,
		bytes_cut(entry->bytes, at, len));
}

static void add_command(const struct entry *entry, size_t step, struct facts *facts)
{
	const struct shape *shape = entry->shape;
	size_t at = step * shape->command_len;
	struct bytes bytes = bytes_cut(entry->bytes, at, shape->command_len);
	uint64_t feature = 0;

	if (bytes_all(bytes, 0))
		return;
	struct row *row = facts_row(
		facts, &table_error_log_commands, source_in_entry(entry, at, shape->command_len));

	bytes_le(bytes, shape->command.feature, shape->command.width, &feature);
	row_set(row, "error_index", value_uint(entry->index));
	row_set(row, "step", value_uint(step + 1));
	row_set(row, "timestamp_ms", value_uint(bytes_le32(bytes, shape->time_at)));
	row_set(row, "feature", value_uint(feature));
	set_registers(row, bytes, &shape->command, entry->plain, "command_code");
	set_command_name(row, bytes_u8(bytes, shape->command.last));
}

static void add_error(const struct entry *entry, struct facts *facts)
{
	const struct shape *shape = entry->shape;
	struct bytes error = bytes_cut(entry->bytes, shape->error_at, SIZE_MAX);
	size_t failed_at = (size_t)(COMMANDS - 1) * shape->command_len;
	struct bytes failed = bytes_cut(entry->bytes, failed_at, shape->command_len);
	uint8_t bits = bytes_u8(error, shape->error_register);
	uint8_t code = bytes_u8(failed, shape->command.last);
	struct row *row = facts_row(
		facts, &table_error_log, source_in_entry(entry, 0, shape->ring.entry_len));

	row_set(row, "index", value_uint(entry->index));
	if (entry->number)
		row_set(row, "number", value_uint(entry->number));
	row_set(row, "power_on_hours", value_uint(bytes_le16(error, shape->hours_at)));
	row_set(row, "state", state_of(bytes_u8(error, shape->state_at), facts));
	row_set(row, "command_code", value_uint(code));
	set_command_name(row, code);
	row_set(row, "error", value_uint(bits));
	row_set(row, "error_text", value_text(error_text(bits, facts)));
	set_registers(row, error, &shape->error, entry->plain, "status");
	for (size_t step = 0; step < COMMANDS; step++)
		add_command(entry, step, facts);
}

static bool entry_get(const struct listing *listing, struct entry *entry, size_t slot)
{
	const struct ata_ring *ring = &listing->shape->ring;

	entry->shape = listing->shape;
	entry->plain = listing->plain;
	if (!ata_ring_entry(listing->capture, ring, slot, &entry->page, &entry->at))
		return false;
	entry->bytes = bytes_cut(entry->page.data, entry->at, ring->entry_len);
	return true;
}

/* Some drives put the six bytes of an LBA in plain order. That shows where data
 * could not be read at LBAs which the drive has in that order alone. */
static bool has_plain_lbas(const struct listing *listing, const struct facts *facts)
{
	enum { UNCORRECTABLE = 0x40 };
	const struct shape *shape = listing->shape;
	struct entry entry = { 0 };
	bool any = false;
	uint64_t blocks;

	if (shape->error.lba[3] == NOWHERE || !facts_uint(facts, "capacity.block_count", &blocks))
		return false;
	for (size_t slot = 0; slot < listing->slots; slot++) {
		if (!entry_get(listing, &entry, slot))
			continue;
		struct bytes error = bytes_cut(entry.bytes, shape->error_at, SIZE_MAX);

		if (!(bytes_u8(error, shape->error_register) & UNCORRECTABLE))
			continue;
		if (lba_of(error, &shape->error, true).uint >= blocks)
			return false;
		if (lba_of(error, &shape->error, false).uint >= blocks)
			any = true;
	}
	return any;
}

static void note_missing(const struct shape *shape, size_t listed, struct facts *facts)
{
	facts_note(facts, NULL, "ATA error log %02Xh: only the %zu newest entries were captured",
		shape->ring.log, listed);
}

/* The ring from the newest entry back; newest is its slot. */
static void add_ring(const struct listing *listing, size_t newest, struct facts *facts)
{
	for (size_t age = 0; age < listing->slots; age++) {
		size_t slot = (newest + listing->slots - age) % listing->slots;
		struct entry entry = { .index = age + 1 };

		if (!entry_get(listing, &entry, slot)) {
			if (listing->count == SATURATED || age < listing->count)
				note_missing(listing->shape, age, facts);
			return;
		}
		if (bytes_all(entry.bytes, 0))
			continue;
		if (listing->count < SATURATED && listing->count > age)
			entry.number = listing->count - age;
		add_error(&entry, facts);
	}
}

/* Where the index tells nothing, whatever is there, in the order of the log. */
static void add_all(const struct listing *listing, struct facts *facts)
{
	struct entry entry = { 0 };

	for (size_t slot = 0; slot < listing->slots; slot++) {
		if (!entry_get(listing, &entry, slot) || bytes_all(entry.bytes, 0))
			continue;
		entry.index++;
		add_error(&entry, facts);
	}
}

static void list_errors(const struct listing *listing, uint64_t index, struct facts *facts)
{
	unsigned log = listing->shape->ring.log;

	if (listing->count == 0)
		facts_note(facts, NULL, "ATA error log %02Xh: an index of %llu, but no errors", log,
			(unsigned long long)index);
	if (listing->plain)
		facts_note(facts, NULL,
			"ATA error log %02Xh: the bytes of LBAs are not in the standard's order",
			log);
	if (index <= listing->slots) {
		add_ring(listing, (size_t)index - 1, facts);
		return;
	}
	facts_note(facts, NULL, "ATA error log %02Xh: an index of %llu of %zu; order unknown", log,
		(unsigned long long)index, listing->slots);
	add_all(listing, facts);
}

/* True where this form of the log holds errors. */
static bool decode_shape(
	const struct capture *capture, const struct shape *shape, bool list, struct facts *facts)
{
	struct page page = ata_ring_page(capture, &shape->ring, 0);
	uint64_t index, count = bytes_le16(page.data, shape->count_at);

	if (!ata_ring_index(capture, &shape->ring, &index))
		return false;
	struct source source = source_page(
		page.id, page.offset + shape->count_at, bytes_cut(page.data, shape->count_at, 2));
	struct fact *fact = facts_add(facts, decoder_key("errors.logged_count"), value_uint(count),
		FACT_KNOWN, source, shape->rank);

	if (count == SATURATED)
		fact->note = "65535 or more";
	page_checksum(&page, facts);
	if (index == 0 || !list)
		return index != 0;
	struct listing listing = { capture, shape, ata_ring_slots(capture, &shape->ring), count,
		false };

	listing.plain = has_plain_lbas(&listing, facts);
	list_errors(&listing, index, facts);
	return true;
}

/* ---- Log 10h ---- */

static void decode_ncq_error(const struct capture *capture, struct facts *facts)
{
	enum { NOT_QUEUED = 0x80, ERROR = 0x01 };
	static const uint8_t lba_at[] = { 4, 5, 6, 8, 9, 10 };
	struct page page = page_ata_log(capture, 0x10, 0);

	if (!page.data.at || !(bytes_u8(page.data, 2) & ERROR))
		return;
	bool queued = !(bytes_u8(page.data, 0) & NOT_QUEUED);
	uint8_t bits = bytes_u8(page.data, 3);
	struct row *row = facts_row(facts, &table_ncq_error,
		source_page(page.id, page.offset, bytes_cut(page.data, 0, 23)));

	page_checksum(&page, facts);
	row_set(row, "queued", value_flag(queued));
	if (queued)
		row_set(row, "tag", value_uint(bytes_u8(page.data, 0) & 31));
	row_set(row, "status", value_uint(bytes_u8(page.data, 2)));
	row_set(row, "error", value_uint(bits));
	row_set(row, "error_text", value_text(error_text(bits, facts)));
	row_set(row, "lba", value_uint(gathered(page.data, lba_at, ARRAY_LEN(lba_at))));
	row_set(row, "count", value_uint(bytes_le16(page.data, 12)));
	row_set(row, "device", value_uint(bytes_u8(page.data, 7)));
	if (bytes_u8(page.data, 14) == 0)
		return;
	row_set(row, "sense_key", value_uint(bytes_u8(page.data, 14) & 15));
	row_set(row, "asc", value_uint(bytes_u8(page.data, 15)));
	row_set(row, "ascq", value_uint(bytes_u8(page.data, 16)));
}

void error_log_decode(const struct capture *capture, struct facts *facts)
{
	bool listed = false;

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		if (decode_shape(capture, &shapes[i], !listed, facts))
			listed = true;
	decode_ncq_error(capture, facts);
}
