/*
 * Alerts with real programs: a shell script that writes down what it is told.
 */
#ifndef ASSAY_TEST_ALERT_SCENE_H
#define ASSAY_TEST_ALERT_SCENE_H

#include "history.h"

#include <stdio.h>

#include "assay/alert.h"

enum { HOUR = 3600 };

/* A place with a script that appends "EVENT FORMER STATE DEVICE" to `told`, and
 * fails while there is a file `broken`. */
struct scene {
	struct place place;
	char command[160], told[128], broken[128];
	struct alert_settings settings;
	struct facts facts;
	struct alert_outcome outcome;
	bool asleep; /* in the next runs */
};

static inline void write_script(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(chmod(path, 0755), 0);
}

static inline void scene_set(struct scene *scene)
{
	char script[1024];

	*scene = (struct scene) { 0 };
	place_open(&scene->place);
	snprintf(scene->told, sizeof(scene->told), "%s/told", scene->place.folder);
	snprintf(scene->broken, sizeof(scene->broken), "%s/broken", scene->place.folder);
	snprintf(scene->command, sizeof(scene->command), "%s/command", scene->place.folder);
	snprintf(script, sizeof(script),
		"#!/bin/sh\ncat >%s/stdin\nenv >%s/env\n[ -e %s ] && exit 1\n"
		"echo \"$ASSAY_EVENT $ASSAY_FORMER_STATE $ASSAY_STATE $ASSAY_DEVICE\" >>%s\n",
		scene->place.folder, scene->place.folder, scene->broken, scene->told);
	write_script(scene->command, script);
	scene->settings = (struct alert_settings) { .command = scene->command,
		.timeout_ms = 20000,
		.interval = 24 * HOUR,
		.settle = HOUR / 2 };
	give_drive(&scene->facts, "S1");
}

static inline void scene_clear(struct scene *scene)
{
	facts_deinit(&scene->facts);
	place_remove(&scene->place);
}

static inline const char *content(const char *path)
{
	static char text[8192];
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[n] = '\0';
	if (file)
		fclose(file);
	return text;
}

/* One file of the scene's folder. */
static inline const char *written(const struct scene *scene, const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", scene->place.folder, name);
	return content(path);
}

static inline void set_broken(const struct scene *scene, bool broken)
{
	if (broken)
		write_script(scene->broken, "");
	else
		unlink(scene->broken);
}

static inline enum verdict_state worst(enum verdict_state a, enum verdict_state b)
{
	return a == VERDICT_FAILING || b == VERDICT_FAILING ? VERDICT_FAILING
		: a == VERDICT_WARNING                      ? a
							    : b;
}

/* A run at `now` that finds two rules in these states. */
static inline void find_both(
	struct scene *scene, enum verdict_state wear, enum verdict_state pending, int64_t now)
{
	struct verdict verdicts[] = {
		{ .id = "health", .state = worst(wear, pending), .reason = "the sum" },
		{ .id = "wear-used", .state = wear, .reason = "Rated life used: 93 %" },
		{ .id = "pending", .state = pending, .reason = "Pending sectors: 1" },
	};
	struct document document = { .target = "/dev/sda",
		.facts = &scene->facts,
		.verdicts = verdicts,
		.verdict_count = ARRAY_LEN(verdicts) };
	document.asleep = scene->asleep;
	struct render_options render = { .command = "check", .version = "0" };
	struct error error;

	if (alerts_tell(scene->place.history, &scene->settings, &document, 1, now, &render,
		    &scene->outcome, &error) != 0)
		fail_msg("%s", error.text);
}

static inline void find(struct scene *scene, enum verdict_state wear, int64_t now)
{
	find_both(scene, wear, VERDICT_OK, now);
}

#endif
