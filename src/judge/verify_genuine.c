/* Is it from whom it says it is? */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/array.h"
#include "judge/verify.h"

/* IEEE company identifiers in WWNs (NAA 5h), and whose they are. One maker may
 * have several, and some have bought others. */
static const struct {
	uint32_t oui;
	const char *makers; /* parted by blanks, lower case, ending with one */
} companies[] = {
	{ 0x000cca, "hgst hitachi wdc wd " },
	{ 0x0014ee, "wdc wd hgst hitachi " },
	{ 0x000c50, "seagate " },
	{ 0x001b44, "sandisk wdc wd " },
	{ 0x001173, "smart sandisk " },
	{ 0x001e82, "sandisk pliant " },
	{ 0x000039, "toshiba kioxia " },
	{ 0x8ce38e, "toshiba kioxia " },
	{ 0x5cd2e4, "intel solidigm " },
	{ 0x002538, "samsung " },
	{ 0x00a075, "micron crucial " },
	{ 0x0026b7, "kingston " },
	{ 0xe83a97, "ocz toshiba " },
	{ 0xace42e, "hynix intel solidigm " },
};

/* Who sells drives of others under a vendor name of his own. */
static const char *const sellers[] = { "DELL", "HP", "HPE", "IBM", "IBM-ESXS", "LENOVO", "LENOVO-X",
	"NETAPP", "EMC", "FUJITSU", "CISCO", "ORACLE", "SUN", "HUAWEI", "ATA" };

static const char *makers_of(const char *wwn)
{
	unsigned long long number = strtoull(wwn, NULL, 16);
	uint32_t oui = (uint32_t)(number >> 36 & 0xffffff);

	for (size_t i = 0; number >> 60 == 5 && i < ARRAY_LEN(companies); i++)
		if (companies[i].oui == oui)
			return companies[i].makers;
	return NULL;
}

static bool is_maker(const struct spec_sheet *sheet, const char *makers)
{
	for (size_t i = 0; i < sheet->name_count; i++) {
		const char *last = strrchr(sheet->names[i], ' ');
		const char *name = last ? last + 1 : sheet->names[i];
		const char *at = strcasestr(makers, name);

		if (at && at[strlen(name)] == ' ' && (at == makers || at[-1] == ' '))
			return true;
	}
	return false;
}

static void check_company(struct verifying *verifying)
{
	static const char key[] = "identity.wwn";
	const char *wwn = facts_text(verifying->facts, key), *makers = makers_of(wwn);
	struct opinion opinion = {
		.id = "genuine.company", .label = "Company in the WWN", .found = wwn, .key = key
	};

	if (!*wwn)
		return;
	opinion.evidence = evidence_of(verifying, key);
	opinion.expected = keep(verifying, "that of %s", verifying->sheet->vendor);
	opinion.state = VERDICT_NOT_TESTED;
	if (!makers) {
		conclude(verifying, &opinion, "not a company identifier that is known here");
		return;
	}
	opinion.state = is_maker(verifying->sheet, makers) ? VERDICT_PASS : VERDICT_FAIL;
	conclude(verifying, &opinion,
		opinion.state == VERDICT_PASS
			? "the maker's (strong evidence)"
			: "another maker's: %.*s (strong evidence of a relabelled drive)",
		(int)strcspn(makers, " "), makers);
}

static bool is_listed(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcasecmp(name, list[i]))
			return true;
	return false;
}

static void check_vendor(struct verifying *verifying)
{
	static const char key[] = "identity.vendor";
	const struct spec_sheet *sheet = verifying->sheet;
	struct opinion opinion = { .id = "genuine.inquiry_vendor",
		.label = "INQUIRY vendor",
		.found = facts_text(verifying->facts, key),
		.key = key };

	if (strcmp(facts_text(verifying->facts, "identity.protocol"), "scsi") != 0 ||
		!*opinion.found)
		return;
	opinion.evidence = evidence_of(verifying, key);
	opinion.expected = sheet->names[0];
	opinion.state = VERDICT_PASS;
	if (is_listed(opinion.found, sheet->names, sheet->name_count)) {
		conclude(verifying, &opinion, "the maker's (weak evidence)");
	} else if (is_listed(opinion.found, sellers, ARRAY_LEN(sellers))) {
		conclude(verifying, &opinion, "that of one who sells it under his own name");
	} else {
		opinion.state = VERDICT_MARGINAL;
		conclude(verifying, &opinion, "neither the maker nor a seller that is known here");
	}
}

static bool fits(const char *pattern, const char *text)
{
	char whole[256];
	regex_t compiled;

	snprintf(whole, sizeof(whole), "^(%s)$", pattern);
	if (regcomp(&compiled, whole, REG_EXTENDED | REG_NOSUB))
		return false;
	bool matches = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return matches;
}

static void check_firmware(struct verifying *verifying)
{
	static const char key[] = "identity.firmware";
	const struct spec_sheet *sheet = verifying->sheet;
	struct opinion opinion = { .id = "genuine.firmware",
		.label = "Firmware, spelling",
		.found = facts_text(verifying->facts, key),
		.key = key,
		.state = VERDICT_FAIL };

	if (!sheet->firmware_count || !*opinion.found)
		return;
	opinion.evidence = evidence_of(verifying, key);
	opinion.expected = keep(verifying, "like %s", sheet->firmware[0]);
	for (size_t i = 0; i < sheet->firmware_count; i++)
		if (fits(sheet->firmware[i], opinion.found))
			opinion.state = VERDICT_PASS;
	if (opinion.state == VERDICT_PASS)
		conclude(verifying, &opinion, "spelt as this family's is (weak evidence)");
	else
		conclude(verifying, &opinion,
			"no firmware of this family is spelt so (fair evidence of another drive)");
}

static void check_model(struct verifying *verifying)
{
	static const char key[] = "identity.model";
	const struct spec_match *match = verifying->subject->match;
	struct opinion opinion = { .id = "genuine.model",
		.label = "Model, spelling",
		.found = facts_text(verifying->facts, key),
		.key = key };

	/* Where the sheet was named by hand the model need not be one of its own. */
	if (!*opinion.found)
		return;
	opinion.evidence = evidence_of(verifying, key);
	opinion.expected = match->pattern ? keep(verifying, "like %s", match->pattern->regex)
					  : verifying->sheet->family;
	opinion.state = match->pattern && !match->is_respelt ? VERDICT_PASS : VERDICT_MARGINAL;
	conclude(verifying, &opinion, "%s",
		!match->pattern             ? "no model of this datasheet is named so"
			: match->is_respelt ? "only upper and lower case differ (fair evidence)"
					    : "spelt as this family's is (weak evidence)");
}

void verify_genuine(struct verifying *verifying)
{
	if (!verifying->sheet)
		return;
	check_company(verifying);
	check_vendor(verifying);
	check_firmware(verifying);
	check_model(verifying);
}
