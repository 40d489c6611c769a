#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/collect.h"
#include "assay/decoder.h"
#include "assay/health.h"

enum { MOST_PAGES = 96 };

/* A drive as it answers, collected and judged. */
struct judged {
	struct capture capture;
	struct facts facts;
	struct health health;
};

static void judge(
	const struct capture *drive, const struct collect_options *options, struct judged *judged)
{
	struct transport *transport = transport_open_replay(drive);
	struct error error;

	capture_init(&judged->capture, drive->name);
	for (size_t i = 0; i < drive->host_count; i++)
		capture_host(&judged->capture, drive->host[i].name, drive->host[i].value);
	if (collect(transport, options, &judged->capture, &error) != 0)
		fail_msg("%s: %s", drive->name, error.text);
	transport->close(transport);
	facts_init(&judged->facts);
	decode(&judged->capture, &judged->facts);
	health_judge(&judged->facts, NULL, &judged->health);
}

static void judged_deinit(struct judged *judged)
{
	health_deinit(&judged->health);
	facts_deinit(&judged->facts);
	capture_deinit(&judged->capture);
}

static void read_drive(const char *path, struct capture *capture)
{
	struct error error;
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	capture_init(capture, path);
	if (capture_read(file, path, capture, &error) != 0)
		fail_msg("%s", error.text);
	fclose(file);
}

static void compare(const char *path, const struct judged *all, const struct judged *light)
{
	for (size_t i = 0; i < all->health.count; i++) {
		const struct verdict *verdict = &all->health.verdicts[i];

		if (i >= light->health.count ||
			strcmp(light->health.verdicts[i].id, verdict->id) != 0 ||
			strcmp(light->health.verdicts[i].reason, verdict->reason) != 0 ||
			light->health.verdicts[i].state != verdict->state)
			fail_msg("%s: %s: %s; of the fewer responses: %s %s", path, verdict->id,
				verdict->reason,
				i < light->health.count ? light->health.verdicts[i].id : "nothing",
				i < light->health.count ? light->health.verdicts[i].reason : "");
	}
	assert_int_equal(all->health.count, light->health.count);
}

static void each_drive_of(const char *folder, void (*look)(const char *path))
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort), seen = 0;
	char path[300];

	for (int i = 0; i < count; i++) {
		if (strstr(entries[i]->d_name, ".capture")) {
			snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
			look(path);
			seen++;
		}
		free(entries[i]);
	}
	free(entries);
	assert_true(seen > 0);
}

static struct page_id pages[MOST_PAGES];

static void look_at_verdicts(const char *path)
{
	struct collect_options everything = { .wake = true };
	struct collect_options few = {
		.wake = true, .pages = pages, .page_count = health_pages(true, pages, MOST_PAGES)
	};
	struct capture drive;
	struct judged all, light;

	assert_true(few.page_count <= MOST_PAGES);
	read_drive(path, &drive);
	judge(&drive, &everything, &all);
	judge(&drive, &few, &light);
	compare(path, &all, &light);
	judged_deinit(&all);
	judged_deinit(&light);
	capture_deinit(&drive);
}

static void fewer_responses_give_the_same_verdicts(void **state)
{
	(void)state;
	each_drive_of("data/drives", look_at_verdicts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_responses_give_the_same_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
