#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "assay/spec.h"

static char *slurp(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = calloc(1, 1 << 20);

	assert_non_null(file);
	assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
	fclose(file);
	return text;
}

static void keys_are_lower_snake_and_stand_once(void **state)
{
	(void)state;

	for (const struct claim_key *key = claim_keys; key->name; key++) {
		assert_int_equal(strspn(key->name, "abcdefghijklmnopqrstuvwxyz0123456789_."),
			strlen(key->name));
		assert_ptr_equal(claim_key_find(key->name), key);
		assert_true(key->label[0] >= 'A' && key->label[0] <= 'Z');
	}
	assert_null(claim_key_find("link.speed"));
}

static void the_schema_lists_the_same_keys(void **state)
{
	char *text = slurp("docs/assay-spec.schema.json");
	cJSON *json = cJSON_Parse(text);
	int count = 0;
	(void)state;

	cJSON *claims = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "$defs"), "claims");
	cJSON *properties = cJSON_GetObjectItem(claims, "properties");
	assert_non_null(properties);
	for (const struct claim_key *key = claim_keys; key->name; key++, count++)
		if (!cJSON_GetObjectItemCaseSensitive(properties, key->name))
			fail_msg("docs/assay-spec.schema.json lacks %s", key->name);
	assert_int_equal(cJSON_GetArraySize(properties), count);
	cJSON_Delete(json);
	free(text);
}

static void the_man_page_lists_the_same_keys(void **state)
{
	char *text = slurp("docs/assay-spec.5"), line[128];
	(void)state;

	for (const struct claim_key *key = claim_keys; key->name; key++) {
		snprintf(line, sizeof(line), "\n.It Cm %s\n", key->name);
		if (!strstr(text, line))
			fail_msg("docs/assay-spec.5 lacks %s", key->name);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_lower_snake_and_stand_once),
		cmocka_unit_test(the_schema_lists_the_same_keys),
		cmocka_unit_test(the_man_page_lists_the_same_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
