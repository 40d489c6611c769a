/* Which datasheet is a drive's. */
#include "cli/cli.h"

bool datasheet_find(
	struct spec_library *library, const struct facts *facts, struct spec_matches *matches)
{
	struct spec_subject subject = spec_subject_of(facts);

	spec_match(library, &subject, matches);
	if (matches->count != 1)
		return false;
	spec_complete(library, matches->matches[0].sheet);
	/* Completing reads the file anew; models move. */
	spec_match(library, &subject, matches);
	return matches->count == 1;
}
