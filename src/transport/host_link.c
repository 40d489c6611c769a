/* Which transport a drive is on, and how fast its link is: by the folders that
 * lead to it in sysfs. */
#include "transport/host.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"

int host_number(const char *path, const char *part)
{
	const char *found = NULL;

	for (const char *at = strstr(path, part); at; at = strstr(at + 1, part))
		if (isdigit((unsigned char)at[strlen(part)]))
			found = at + strlen(part);
	return found ? atoi(found) : -1;
}

/* "6.0 Gbps", "12.0 Gbit": the number, as it is printed. */
static bool number_of(const char *line, char *text, size_t size)
{
	size_t len = strspn(line, "0123456789.");

	if (!len || len >= size)
		return false;
	memcpy(text, line, len);
	text[len] = '\0';
	return true;
}

/* A parallel ATA port says "<unknown>". False where there is no such file. */
static bool sata_speed(const char *sysfs, const struct host_place *place, char *line, size_t size)
{
	const char *address = strrchr(place->folder, '/');
	unsigned channel = 0;
	int port = host_number(place->folder, "/ata");

	if (address)
		sscanf(address, "/%*u:%u:", &channel);
	/* behind a port multiplier each drive has a link of its own */
	return host_line(
		       line, size, "%s/class/ata_link/link%d.%u/sata_spd", sysfs, port, channel) ||
		host_line(line, size, "%s/class/ata_link/link%d/sata_spd", sysfs, port);
}

/* The phys of a port stand in its folder, which holds the end device. */
static bool sas_rate(const char *sysfs, const struct host_place *place, char *text, size_t size)
{
	char port[PATH_MAX], phy[64], line[64];
	char *end;

	memcpy(port, place->folder, sizeof(port));
	end = strstr(port, "/end_device-");
	if (!end)
		return false;
	*end = '\0';
	return host_entry(port, "phy-", phy, sizeof(phy)) &&
		host_line(line, sizeof(line), "%s/class/sas_phy/%s/negotiated_linkrate", sysfs,
			phy) &&
		number_of(line, text, size);
}

/* The nearest folder upwards that has a speed is the USB device; Mbit/s. */
static bool usb_rate(const struct host_place *place, char *text, size_t size)
{
	char folder[PATH_MAX], line[32];

	memcpy(folder, place->folder, sizeof(folder));
	for (char *slash; (slash = strrchr(folder, '/')) != NULL; *slash = '\0') {
		if (!host_line(line, sizeof(line), "%s/speed", folder))
			continue;
		snprintf(text, size, "%g", atof(line) / 1000);
		return true;
	}
	return false;
}

void host_link_rate(const char *sysfs, const struct host_place *place, char *text, size_t size)
{
	char line[64];
	int host = host_number(place->folder, "/host");

	text[0] = '\0';
	if (host_number(place->folder, "/usb") >= 0) {
		usb_rate(place, text, size);
	} else if (host_number(place->folder, "/ata") >= 0) {
		if (sata_speed(sysfs, place, line, sizeof(line)))
			number_of(line, text, size);
	} else if (!sas_rate(sysfs, place, text, size)) {
		if (host_line(line, sizeof(line), "%s/class/fc_host/host%d/speed", sysfs, host))
			number_of(line, text, size);
	}
}

void host_transport(const char *sysfs, const struct host_place *place, char *text, size_t size)
{
	static const struct {
		const char *part, *transport;
	} parts[] = {
		{ "/usb", "usb" },
		{ "/end_device-", "sas" },
		{ "/rport-", "fc" },
		{ "/session", "iscsi" },
		{ "/tcm_loop_", "loopback" },
		{ "/virtio", "virtio" },
		{ "/ata", "sata" },
	};
	int host = host_number(place->folder, "/host");
	char line[64];
	bool parallel_ata = host_number(place->folder, "/ata") >= 0 &&
		sata_speed(sysfs, place, line, sizeof(line)) && line[0] == '<';

	for (size_t i = 0; !parallel_ata && i < ARRAY_LEN(parts); i++)
		if (host_number(place->folder, parts[i].part) >= 0) {
			snprintf(text, size, "%s", parts[i].transport);
			return;
		}
	if (host_line(line, sizeof(line), "%s/class/spi_host/host%d/signalling", sysfs, host)) {
		snprintf(text, size, "spi");
		return;
	}
	host_line(text, size, "%s/class/scsi_host/host%d/proc_name", sysfs, host);
}
