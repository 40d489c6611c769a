/*
 * Output formats. A new one: src/render/<name>.c with its renderer, and a line
 * in both lists below.
 */
#include "assay/render.h"

#include <string.h>

extern const struct renderer renderer_text, renderer_json, renderer_prometheus, renderer_nagios;

const struct renderer *const renderers[] = {
	&renderer_text,
	&renderer_json,
	&renderer_prometheus,
	&renderer_nagios,
	NULL,
};

const struct renderer *renderer_find(const char *name)
{
	for (size_t i = 0; renderers[i]; i++)
		if (!strcmp(renderers[i]->name, name))
			return renderers[i];
	return NULL;
}
