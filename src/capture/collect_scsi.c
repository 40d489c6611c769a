/* What a SCSI drive has: SPC-5, SBC-4. */
#include "capture/collector.h"
#include "assay/array.h"

enum { UNIT_ATTENTION = 6 };
enum { SPC_3 = 5 }; /* VERSION field of INQUIRY data */

const char *collect_scsi_power(struct collector *c)
{
	enum { TRIES = 4 };
	static const struct page_id id = { .kind = PAGE_REQUEST_SENSE };
	size_t place = 0;

	for (unsigned i = 0; i < TRIES; i++) {
		struct sense sense;

		if (!sense_read(collect_data(collect_page(c, id, SENSE_MAX)), &sense))
			break;
		if (i == 0)
			place = c->first;
		else
			collect_prefer(c, c->first, place);
		if (sense.key != UNIT_ATTENTION && !sense.deferred)
			return power_state_of_sense(&sense);
	}
	return "unknown";
}

void collect_scsi_vpd(struct collector *c)
{
	enum { OF_ANY, OF_DISK, OF_SCSI_DISK };
	static const struct {
		uint8_t page, of;
		uint16_t len;
	} pages[] = {
		{ 0x80, OF_ANY, 252 },       /* unit serial number */
		{ 0x83, OF_ANY, 252 },       /* device identification */
		{ 0x86, OF_SCSI_DISK, 252 }, /* extended INQUIRY data */
		{ 0x87, OF_SCSI_DISK, 252 }, /* mode page policy */
		{ 0x88, OF_SCSI_DISK, 252 }, /* SCSI ports */
		{ 0x89, OF_DISK, 572 },      /* ATA information */
		{ 0x8a, OF_SCSI_DISK, 252 }, /* power condition */
		{ 0x8d, OF_SCSI_DISK, 252 }, /* power consumption */
		{ 0xb0, OF_DISK, 252 },      /* block limits */
		{ 0xb1, OF_DISK, 252 },      /* block device characteristics */
		{ 0xb2, OF_DISK, 252 },      /* logical block provisioning */
		{ 0xb3, OF_SCSI_DISK, 252 }, /* referrals */
		{ 0xb4, OF_SCSI_DISK, 252 }, /* supported block lengths and protection types */
		{ 0xb5, OF_SCSI_DISK, 252 }, /* block device characteristics extension */
		{ 0xb6, OF_SCSI_DISK, 252 }, /* zoned block device characteristics */
		{ 0xb7, OF_SCSI_DISK, 252 }, /* block limits extension */
		{ 0xb9, OF_SCSI_DISK, 252 }, /* concurrent positioning ranges */
		{ 0xba, OF_SCSI_DISK, 252 }, /* capacity and product identification mapping */
	};
	uint8_t most = !collect_is_disk(c) ? OF_ANY : c->pass_through ? OF_DISK : OF_SCSI_DISK;

	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		struct page_id id = { .kind = PAGE_VPD, .page = pages[i].page };

		if (pages[i].of <= most && collect_lists_vpd(c, id.page) && collect_wants(c, id) &&
			!(collect_is_light(c) && capture_find(c->capture, id)))
			collect_page(c, id, pages[i].len);
	}
}

void collect_scsi_capacity(struct collector *c)
{
	enum { CAPACITY_10_BYTES = 8, CAPACITY_16_BYTES = 32 };
	static const struct page_id ten = { .kind = PAGE_READ_CAPACITY_10 };
	static const struct page_id sixteen = { .kind = PAGE_READ_CAPACITY_16 };
	struct bytes data;

	/* old bridges hang at what they do not know */
	if (c->usb && c->version < SPC_3) {
		data = collect_data(collect_page(c, ten, CAPACITY_10_BYTES));
		if (bytes_be32(data, 0) == UINT32_MAX) /* it does not fit */
			collect_page(c, sixteen, CAPACITY_16_BYTES);
		return;
	}
	if (!collect_good(collect_page(c, sixteen, CAPACITY_16_BYTES)))
		collect_page(c, ten, CAPACITY_10_BYTES);
}

/* Known from then on; a list without INQUIRY is none. */
static void collect_operation_codes(struct collector *c)
{
	enum { CODES_BYTES = 4096, INQUIRY = 0x12 };
	static const struct page_id id = { .kind = PAGE_OPERATION_CODES };
	struct bytes codes;

	if (c->version < SPC_3 || c->usb || collect_is_light(c))
		return;
	codes = collect_data(collect_page(c, id, CODES_BYTES));
	if (!codes.at)
		return;
	codes = bytes_cut(codes, 0, (size_t)bytes_be32(codes, 0) + 4);
	if (collect_lists_command(codes, INQUIRY, 0))
		c->operation_codes = codes;
	else
		capture_note(c->capture,
			"the list of supported operation codes lacks INQUIRY: "
			"it is not heeded");
}

/* ---- Log pages ---- */

/* Standard pages, and those of vendors whose parameters are known. Not what a
 * host stored (0Fh), which may be anything. */
static bool wants_log(uint8_t page, uint8_t sub)
{
	enum { HOST_DATA = 0x0f, FIRST_VENDOR = 0x30, ALL_SUBPAGES = 0xff };

	if (page == 0 || page == HOST_DATA || sub == ALL_SUBPAGES)
		return false;
	switch (page) {
	case 0x30: /* performance counters (HGST) */
	case 0x37: /* cache statistics (Seagate), drive statistics (HGST) */
	case 0x3e: /* factory log (Seagate) */
		return sub == 0;
	}
	return page < FIRST_VENDOR;
}

/* Which log pages were seen, so that a list that repeats itself costs nothing. */
struct log_set {
	uint8_t bits[64][32];
	size_t count;
};

static bool log_set_add(struct log_set *set, uint8_t page, uint8_t sub)
{
	enum { MOST = 96 };
	uint8_t *byte = &set->bits[page & 0x3f][sub / 8];
	uint8_t bit = (uint8_t)(1 << sub % 8);

	if (*byte & bit || set->count >= MOST)
		return false;
	*byte |= bit;
	set->count++;
	return true;
}

/* Fetches what a list names: a page each, or page and subpage. */
static void collect_listed_logs(
	struct collector *c, struct bytes list, bool subpages, struct log_set *set)
{
	enum { CUMULATIVE = 1, LOG_BYTES = 4096 };
	size_t step = subpages ? 2 : 1;

	for (size_t at = 0; at + step <= list.len; at += step) {
		uint8_t page = bytes_u8(list, at) & 0x3f;
		uint8_t sub = subpages ? bytes_u8(list, at + 1) : 0;
		struct page_id id = { PAGE_LOG, page, sub, CUMULATIVE };

		if (wants_log(page, sub) && collect_wants(c, id) && log_set_add(set, page, sub))
			collect_page(c, id, LOG_BYTES);
	}
}

static struct bytes log_list(struct collector *c, uint8_t sub)
{
	enum { CUMULATIVE = 1, LIST_BYTES = 512 };
	struct page_id id = { PAGE_LOG, 0x00, sub, CUMULATIVE };
	struct bytes data = collect_data(collect_page(c, id, LIST_BYTES));

	/* drives that know no subpages may answer with page 00h itself */
	if ((bytes_u8(data, 0) & 0x3f) != 0 || (sub && bytes_u8(data, 1) != sub))
		return (struct bytes) { 0 };
	return bytes_cut(data, 4, bytes_be16(data, 2));
}

static void collect_logs(struct collector *c)
{
	enum { ALL_SUBPAGES = 0xff };
	struct log_set set = { .count = 0 };
	struct bytes pages = log_list(c, 0), pairs = { 0 };

	if (c->version >= SPC_3)
		pairs = log_list(c, ALL_SUBPAGES);
	collect_listed_logs(c, pages, false, &set);
	collect_listed_logs(c, pairs, true, &set);
}

/* ---- Mode pages ---- */

static void collect_modes(struct collector *c)
{
	enum { ALL_PAGES = 0x3f, ALL_SUBPAGES = 0xff, CONTROLS = 4, USB_BYTES = 192 };
	uint16_t sub = c->usb || c->version < SPC_3 ? 0 : ALL_SUBPAGES;
	size_t len = c->usb ? USB_BYTES : 4096;

	/* of all values only the current ones can be asked for */
	for (unsigned control = 0; control < (c->usb || collect_is_light(c) ? 1 : CONTROLS);
		control++) {
		struct page_id id = { PAGE_MODE, ALL_PAGES, sub, (uint8_t)control };
		const struct record *record = collect_page(c, id, len);

		if (!collect_good(record) && control == 0) {
			if (!record || !sub || collect_unknown_command(record))
				return;
			sub = id.sub = 0;
			record = collect_page(c, id, len);
		}
		/* the values that follow are as long as the current ones */
		if (collect_data(record).len > len)
			len = collect_data(record).len;
	}
}

/* ---- The rest ---- */

static void collect_security(struct collector *c)
{
	enum { SECURITY_BYTES = 512, TCG = 0x01, LEVEL_0_DISCOVERY = 0x0001 };
	static const struct page_id protocols = { .kind = PAGE_SECURITY };
	static const struct page_id discovery = { PAGE_SECURITY, TCG, LEVEL_0_DISCOVERY, 0 };
	struct bytes data, list;

	if (c->version < SPC_3 || c->usb || collect_is_light(c))
		return;
	data = collect_data(collect_page(c, protocols, SECURITY_BYTES));
	list = bytes_cut(data, 8, bytes_be16(data, 6));
	for (size_t i = 0; i < list.len; i++)
		if (bytes_u8(list, i) == TCG) {
			collect_page(c, discovery, SECURITY_BYTES);
			return;
		}
}

/* Only the header, which has the length of the list. */
static void collect_defects(struct collector *c)
{
	enum { GROWN = 1, HEADER_12 = 8, HEADER_10 = 4 };
	static const struct page_id id = { .kind = PAGE_DEFECTS, .control = GROWN };
	struct cdb twelve = cdb_of_page(id, HEADER_12, false);
	struct cdb ten = cdb_of_page(id, HEADER_10, true);
	const struct record *record;

	if (c->device_type != TYPE_DISK || c->usb || !collect_wants(c, id))
		return;
	record = collect_send(c, &twelve, (struct bytes) { 0 });
	/* without a list of operation codes any refusal may be meant for this one */
	if (!record || collect_unknown_command(record) ||
		(collect_is_light(c) && collect_data(record).len < HEADER_12))
		collect_send(c, &ten, (struct bytes) { 0 });
}

void collect_scsi(struct collector *c)
{
	collect_operation_codes(c);
	collect_scsi_capacity(c);
	if (!c->usb)
		collect_logs(c);
	collect_modes(c);
	collect_security(c);
	collect_defects(c);
}
