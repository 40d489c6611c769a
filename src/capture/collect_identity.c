/* Who a drive is, with as few commands as possible: mostly with none. */
#include "capture/collector.h"

#include <string.h>

static const struct record *kept(const struct collector *c, enum page_kind kind, uint8_t page)
{
	struct page_id id = { .kind = kind, .page = page };

	return capture_find(c->capture, id);
}

static bool lacks_vpd(const struct collector *c, uint8_t page)
{
	return !c->vpd_pages.at || (collect_lists_vpd(c, page) && !kept(c, PAGE_VPD, page));
}

/* VPD page 89h of what does not call itself a translator may be anything. */
static bool lacks_identify(const struct collector *c)
{
	return collect_may_be_ata(c) && !(collect_is_translated(c) && kept(c, PAGE_VPD, 0x89));
}

/* What the kernel keeps is taken; false where a command is needed. */
static bool take_kept(struct collector *c, bool has_size)
{
	if (!collect_take_inquiry(c, kept(c, PAGE_INQUIRY, 0)))
		return false;
	collect_take_vpd_list(c, kept(c, PAGE_VPD, 0x00));
	return !collect_is_disk(c) ||
		(has_size && !lacks_vpd(c, 0x80) && !lacks_vpd(c, 0x83) && !lacks_identify(c));
}

static int fetch_missing(struct collector *c, bool has_size, struct error *error)
{
	static const uint8_t pages[] = { 0x80, 0x83 };

	if ((!kept(c, PAGE_INQUIRY, 0) || !c->vpd_pages.at) && collect_inquiry(c, error))
		return -1;
	for (size_t i = 0; i < sizeof(pages); i++) {
		struct page_id id = { .kind = PAGE_VPD, .page = pages[i] };

		if (collect_lists_vpd(c, id.page) && !kept(c, PAGE_VPD, id.page))
			collect_page(c, id, 252);
	}
	c->pass_through = lacks_identify(c);
	if (c->pass_through)
		collect_ata_identify(c);
	if (!has_size && collect_is_disk(c))
		collect_scsi_capacity(c);
	return 0;
}

int collect_identity(const char *sysfs, const char *node, const struct collect_options *options,
	struct capture *capture, struct error *error)
{
	bool has_size = host_size_bytes(sysfs, node) > 0;
	struct transport *transport;
	struct collector collector;
	const char *state;
	int result = 0;

	if (host_read(sysfs, node, capture, error))
		return -1;
	host_cached_pages(sysfs, node, capture);
	state = capture_host_value(capture, "runtime_status");
	if (state && !strncmp(state, "suspend", strlen("suspend")))
		return 0;
	collector_init(&collector, NULL, options, capture);
	if (!take_kept(&collector, has_size)) {
		transport = transport_open_sg(node, error);
		result = -1;
		if (transport) {
			collector.session.transport = transport;
			result = fetch_missing(&collector, has_size, error);
			transport->close(transport);
		}
	}
	collector_deinit(&collector);
	return result;
}
