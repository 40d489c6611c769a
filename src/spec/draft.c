/* A draft of a datasheet: what the drive says, and room for what it does not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "assay/spec.h"
#include "spec/name.h"

static void put_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void put_pattern(FILE *file, const char *name)
{
	char regex[2 * NAME_BYTES];
	size_t used = 0;

	for (; *name && used + 3 < sizeof(regex); name++) {
		if (strchr("\\.^$|*+?{}()[]", *name))
			regex[used++] = '\\';
		regex[used++] = *name;
	}
	regex[used] = '\0';
	put_text(file, regex);
}

static void put_flag(FILE *file, const struct facts *facts, const char *key, const char *claim)
{
	bool flag;

	if (facts_flag(facts, key, &flag))
		fprintf(file, ",\n\t\t\"%s\": %s", claim, flag ? "true" : "false");
}

static void put_number(FILE *file, const struct facts *facts, const char *key, const char *unit)
{
	double number;

	if (!facts_number(facts, key, &number))
		return;
	if (*unit)
		fprintf(file, ",\n\t\t\"%s\": \"%.15g %s\"", key, number, unit);
	else
		fprintf(file, ",\n\t\t\"%s\": %.15g", key, number);
}

static void put_claims(FILE *file, const struct facts *facts)
{
	bool is_ata = !strcmp(facts_text(facts, "identity.protocol"), "ata");
	const char *form = facts_text(facts, "identity.form_factor");

	fprintf(file, "\t\"claims\": {\n\t\t\"interface\": \"%s\"", is_ata ? "SATA" : "SAS");
	if (*form >= '1' && *form <= '9')
		fprintf(file, ",\n\t\t\"identity.form_factor\": \"%.3sin\"", form);
	put_number(file, facts, "identity.rotation_rpm", "");
	put_number(file, facts, "link.max_gbps", "Gbit/s");
	put_number(file, facts, "link.port_count", "");
	put_number(file, facts, "capacity.logical_block_bytes", "bytes");
	put_number(file, facts, "capacity.physical_block_bytes", "bytes");
	put_flag(file, facts, "protection.capable", "protection.capable");
	fputs("\n\t},\n", file);
}

/* The size as it is sold: 960 GB of 960,197,124,096 bytes. */
static void put_capacity(FILE *file, uint64_t bytes)
{
	uint64_t gigabytes = bytes / 1000000000;

	for (uint64_t guess = gigabytes; guess + 2 > gigabytes && guess > 0; guess--)
		if (capacity_rule(bytes, (double)guess)) {
			gigabytes = guess;
			break;
		}
	fprintf(file, ", \"capacity\": \"%llu GB\", \"bytes\": %llu", (unsigned long long)gigabytes,
		(unsigned long long)bytes);
}

int spec_draft(FILE *file, const struct facts *facts)
{
	char model[NAME_BYTES];
	struct spec_subject subject = spec_subject_of(facts);

	name_plain(subject.model, model, sizeof(model));
	fputs("{\n\t\"schema\": \"assay-spec/1\",\n\t\"vendor\": ", file);
	put_text(file, *subject.vendor ? subject.vendor : "?");
	fputs(",\n\t\"family\": ", file);
	put_text(file, *model ? model : "?");
	fputs(",\n\t\"sources\": {\n\t\t\"drive\": {\"title\": \"this drive's own answers\", "
	      "\"drives\": true}\n\t},\n\t\"source\": \"drive\",\n",
		file);
	put_claims(file, facts);
	fputs("\t\"models\": [\n\t\t{\"name\": ", file);
	put_text(file, *model ? model : "?");
	if (subject.bytes >= 1000000000)
		put_capacity(file, subject.bytes);
	fputs(", \"match\": ", file);
	put_pattern(file, *model ? model : "?");
	fputs("}\n\t],\n\t\"notes\": [\n\t\t\"a draft: add the family's name, the datasheet as a "
	      "source, and what it claims; assay-spec(5) lists the keys\"\n\t]\n}\n",
		file);
	return ferror(file) ? -EIO : 0;
}
