/* The one file that uses libatasmart. */
#include <stddef.h> /* atasmart.h needs it and does not say so */

#include <atasmart.h>
#include <string.h>

#include "atasmart.h"

enum { SECTOR = 512, HEADER = 8, SLOTS = 30, SLOT = 12 };
enum { IDENTIFY_AT = HEADER, DATA_AT = IDENTIFY_AT + SECTOR + HEADER };
enum { BLOB_LEN = DATA_AT + SECTOR };

struct questions {
	uint8_t blob[BLOB_LEN];
	size_t count;
	struct atasmart_answer *answers[SLOTS];
	struct arena *arena;
	size_t answered;
};

static void put_section(uint8_t *at, const char tag[4])
{
	memcpy(at, tag, 4);
	at[6] = SECTOR >> 8;
}

static void begin(struct questions *questions, const char *model, const char *firmware)
{
	enum { FIRMWARE_AT = 2 * 23, MODEL_AT = 2 * 27 };
	uint8_t *identify = questions->blob + IDENTIFY_AT;

	put_section(identify - HEADER, "IDFY");
	bytes_put_ata_text(identify + FIRMWARE_AT, 8, firmware);
	bytes_put_ata_text(identify + MODEL_AT, 40, model);
	put_section(questions->blob + DATA_AT - HEADER, "SMDT");
}

static void add(struct questions *questions, const struct attribute *attribute,
	struct atasmart_answer *answer)
{
	uint8_t *slot = questions->blob + DATA_AT + 2 + questions->count * SLOT;

	memcpy(slot, attribute->bytes.at, SLOT);
	questions->answers[questions->count++] = answer;
}

/* Units that the library knows of some models. */
static enum raw_format format_of_name(const char *name)
{
	static const struct {
		const char *name;
		enum raw_format format;
	} formats[] = {
		{ "power-on-minutes", RAW_MINUTES },
		{ "power-on-half-minutes", RAW_HALF_MINUTES },
		{ "power-on-seconds", RAW_SECONDS },
		{ "temperature-centi-celsius", RAW_TENTHS },
	};

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (!strcmp(name, formats[i].name))
			return formats[i].format;
	return RAW_UNKNOWN;
}

static void take(SkDisk *disk, const SkSmartAttributeParsedData *parsed, void *context)
{
	struct questions *questions = context;

	(void)disk;
	if (questions->answered == questions->count)
		return;
	struct atasmart_answer *answer = questions->answers[questions->answered++];

	if (!parsed->name || !strncmp(parsed->name, "attribute-", 10))
		return;
	answer->name = arena_text(questions->arena, parsed->name);
	answer->format = format_of_name(parsed->name);
}

static void ask(struct questions *questions)
{
	uint8_t *data = questions->blob + DATA_AT;
	SkDisk *disk;

	if (questions->count == 0 || sk_disk_open(NULL, &disk) < 0)
		return;
	data[SECTOR - 1] = (uint8_t)-bytes_sum((struct bytes) { data, SECTOR - 1 });
	if (sk_disk_set_blob(disk, questions->blob, sizeof(questions->blob)) == 0)
		sk_disk_smart_parse_attributes(disk, take, questions);
	sk_disk_free(disk);
}

/* Whether the library may know a model by name: how those that it knows begin. */
static bool may_be_known(const char *model)
{
	static const char *const beginnings[] = { "FUJITSU ", "SAMSUNG ", "Maxtor ", "HITACHI",
		"HT", "HE", "MCCOE", "INTEL SSDSA2" };

	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (!strncmp(model, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/*
 * For each attribute the library compiles the patterns of all models that it
 * knows, up to the one that matches, which takes 0.3 ms where none does. So a
 * drive that is none of them borrows the name of an early one to which the
 * attribute is not special. Power-on hours are special to all of these.
 */
static const struct {
	const char *model, *firmware;
	uint8_t special[3];
} lenders[] = {
	{ "FUJITSU MHR2040AT", "", { 9, 192, 200 } },
	{ "FUJITSU MHY2120BH", "0085000B", { 9, 197, 198 } },
};

enum { LENDERS = ARRAY_LEN(lenders), OWN = LENDERS, NAMES };

/* Under which name to ask. */
static size_t name_for(uint8_t id, bool known)
{
	size_t name = known ? OWN : 0;

	while (name < LENDERS && memchr(lenders[name].special, id, sizeof(lenders[name].special)))
		name++;
	return name;
}

void atasmart_ask(const char *model, const char *firmware, const struct attribute *attributes,
	size_t count, struct arena *arena, struct atasmart_answer *answers)
{
	struct questions questions[NAMES] = { 0 };
	bool known = may_be_known(model);

	for (size_t i = 0; i < LENDERS; i++)
		begin(&questions[i], lenders[i].model, lenders[i].firmware);
	begin(&questions[OWN], model, firmware);
	for (size_t i = 0; i < count && i < SLOTS; i++) {
		answers[i] = (struct atasmart_answer) { 0 };
		add(&questions[name_for(attributes[i].id, known)], &attributes[i], &answers[i]);
	}
	for (size_t i = 0; i < NAMES; i++) {
		questions[i].arena = arena;
		ask(&questions[i]);
	}
}
