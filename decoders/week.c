/* SPC-5, Start-Stop Cycle Counter log page: four digits of the year and two of
 * the week, in ASCII; blanks, zeros or FFh bytes where they were never set. */
#include "week.h"

#include <string.h>

enum { AT = 4, LEN = 6 };

static enum fact_state date_state(struct bytes raw, const char *text)
{
	if (!*text || bytes_all(raw, 0xff) || bytes_all(raw, '0'))
		return FACT_UNKNOWN;
	if (strspn(text, "0123456789") != LEN)
		return FACT_INVALID;
	int week = (text[4] - '0') * 10 + text[5] - '0';

	return week >= 1 && week <= 53 ? FACT_KNOWN : FACT_INVALID;
}

void week_decode(
	const struct capture *capture, uint16_t parameter, const char *key, struct facts *facts)
{
	static const struct page_id id = { PAGE_LOG, 0x0e, 0, 1 };
	struct page page = page_get(capture, facts, id);
	struct log_parameter found;
	char text[LEN + 1];

	if (!log_parameter_find(&page, parameter, &found) || found.data.len < AT + LEN)
		return;
	struct bytes raw = bytes_cut(found.data, AT, LEN);
	struct source source = source_page(page.id, found.offset + AT, raw);

	source.parameter = found.code;
	bytes_text(raw, false, text, sizeof(text));
	facts_add(facts, decoder_key(key),
		value_text(
			facts_printf(facts, "%.4s-W%.2s", text, strlen(text) > 4 ? &text[4] : "")),
		date_state(raw, text), source, 0);
}
