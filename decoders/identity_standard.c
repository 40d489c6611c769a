/* Standards that an ATA device claims: ACS-4 7.12.7, words 80, 81, 222. */
#include "identity.h"
#include "place.h"

enum { WORD_MAJOR = 80, WORD_MINOR = 81, WORD_TRANSPORT = 222 };
enum { NOT_REPORTED = 0xffff }; /* and 0000h */

/* By bit number. */
static const char *const major_versions[] = {
	[1] = "ATA-1",
	[2] = "ATA-2",
	[3] = "ATA-3",
	[4] = "ATA/ATAPI-4",
	[5] = "ATA/ATAPI-5",
	[6] = "ATA/ATAPI-6",
	[7] = "ATA/ATAPI-7",
	[8] = "ATA8-ACS",
	[9] = "ACS-2",
	[10] = "ACS-3",
	[11] = "ACS-4",
	[12] = "ACS-5",
	[13] = "ACS-6",
};

static const char *const serial_versions[] = {
	[0] = "ATA8-AST",
	[1] = "SATA 1.0a",
	[2] = "SATA II Extensions",
	[3] = "SATA 2.5",
	[4] = "SATA 2.6",
	[5] = "SATA 3.0",
	[6] = "SATA 3.1",
	[7] = "SATA 3.2",
	[8] = "SATA 3.3",
	[9] = "SATA 3.4",
	[10] = "SATA 3.5",
};

/* Codes were given out in no order. */
static const struct word minor_versions[] = {
	{ 0x0001, "ATA-1 before r4" },
	{ 0x0002, "ATA-1 published" },
	{ 0x0003, "ATA-1 r4" },
	{ 0x0004, "ATA-2 published" },
	{ 0x0005, "ATA-2 before r2k" },
	{ 0x0006, "ATA-3 r1" },
	{ 0x0007, "ATA-2 r2k" },
	{ 0x0008, "ATA-3 r0" },
	{ 0x0009, "ATA-2 r3" },
	{ 0x000a, "ATA-3 published" },
	{ 0x000b, "ATA-3 r6" },
	{ 0x000c, "ATA-3 r7 and r7a" },
	{ 0x000d, "ATA/ATAPI-4 r6" },
	{ 0x000e, "ATA/ATAPI-4 r13" },
	{ 0x000f, "ATA/ATAPI-4 r7" },
	{ 0x0010, "ATA/ATAPI-4 r18" },
	{ 0x0011, "ATA/ATAPI-4 r15" },
	{ 0x0012, "ATA/ATAPI-4 published" },
	{ 0x0013, "ATA/ATAPI-5 r3" },
	{ 0x0014, "ATA/ATAPI-4 r14" },
	{ 0x0015, "ATA/ATAPI-5 r1" },
	{ 0x0016, "ATA/ATAPI-5 published" },
	{ 0x0017, "ATA/ATAPI-4 r17" },
	{ 0x0018, "ATA/ATAPI-6 r0" },
	{ 0x0019, "ATA/ATAPI-6 r3a" },
	{ 0x001a, "ATA/ATAPI-7 r1" },
	{ 0x001b, "ATA/ATAPI-6 r2" },
	{ 0x001c, "ATA/ATAPI-6 r1" },
	{ 0x001d, "ATA/ATAPI-7 published" },
	{ 0x001e, "ATA/ATAPI-7 r0" },
	{ 0x001f, "ACS-3 r3b" },
	{ 0x0021, "ATA/ATAPI-7 r4a" },
	{ 0x0022, "ATA/ATAPI-6 published" },
	{ 0x0025, "ACS-6 r7" },
	{ 0x0027, "ATA8-ACS r3c" },
	{ 0x0028, "ATA8-ACS r6" },
	{ 0x0029, "ATA8-ACS r4" },
	{ 0x0030, "ACS-5" }, /* r8 or r10: sources disagree */
	{ 0x0031, "ACS-2 r2" },
	{ 0x0033, "ATA8-ACS r3e" },
	{ 0x0039, "ATA8-ACS r4c" },
	{ 0x0042, "ATA8-ACS r3f" },
	{ 0x0052, "ATA8-ACS r3b" },
	{ 0x005e, "ACS-4 r5" },
	{ 0x006d, "ACS-3 r5" },
	{ 0x0070, "ACS-6 r11" },
	{ 0x0073, "ACS-6 r2" },
	{ 0x0082, "ACS-2 published" },
	{ 0x009c, "ACS-4 published" },
	{ 0x0107, "ATA8-ACS r2d" },
	{ 0x010a, "ACS-3 published" },
	{ 0x0110, "ACS-2 r3" },
	{ 0x011b, "ACS-3 r4" },
};

/* The name of the highest bit: NULL where it has none. */
static const char *highest(unsigned bits, const char *const *names, size_t count)
{
	size_t bit = 0;

	while (bits >> (bit + 1))
		bit++;
	return bits && bit < count ? names[bit] : NULL;
}

static const char *minor_version(unsigned code)
{
	for (size_t i = 0; i < ARRAY_LEN(minor_versions); i++)
		if (minor_versions[i].value == code)
			return minor_versions[i].word;
	return NULL;
}

static void add(const struct page *identify, struct facts *facts, const char *key, unsigned word,
	const char *name)
{
	struct place place = { .page = identify, .at = word_at(word), .width = 2 };
	uint16_t raw = bytes_le16(identify->data, place.at);
	/* A code that is missing here is newer than this table, not wrong. */
	bool reported = raw != 0 && raw != NOT_REPORTED;
	/* A minor version that is missing here is newer than this table, not wrong. */
	bool unknown = !reported || word == WORD_MINOR;

	place_fact(facts, key, value_text(name ? name : ""), state_of(reported && name, unknown),
		place);
}

static bool is_serial(unsigned word)
{
	return word >> 12 == 1;
}

void standards_decode(const struct page *identify, struct facts *facts)
{
	unsigned major = word_value(identify, WORD_MAJOR);
	unsigned minor = word_value(identify, WORD_MINOR);
	unsigned transport = word_value(identify, WORD_TRANSPORT);

	add(identify, facts, "identity.standard", WORD_MAJOR,
		highest(major & ~1u, major_versions, ARRAY_LEN(major_versions)));
	add(identify, facts, "identity.standard_revision", WORD_MINOR, minor_version(minor));
	if (is_serial(transport))
		add(identify, facts, "identity.transport_standard", WORD_TRANSPORT,
			highest(transport & 0xfff, serial_versions, ARRAY_LEN(serial_versions)));
}
