/* ACS-4 9.5 (pages 01h to 07h), ZAC-2 (08h): the names of device statistics. */
#include "statistics.h"

static const struct known_statistic known[] = {
	{ 0x01, 8, 4, false, "Lifetime power-on resets", "" },
	{ 0x01, 16, 4, false, "Power-on hours", "hours" },
	{ 0x01, 24, 6, false, "Logical sectors written", "sectors" },
	{ 0x01, 32, 6, false, "Number of write commands", "" },
	{ 0x01, 40, 6, false, "Logical sectors read", "sectors" },
	{ 0x01, 48, 6, false, "Number of read commands", "" },
	{ 0x01, 56, 6, false, "Date and time timestamp", "milliseconds" },
	{ 0x01, 64, 4, false, "Pending error count", "" },
	{ 0x01, 72, 2, false, "Workload utilization", "0.01 percent" },
	{ 0x01, 80, 1, false, "Utilization usage rate", "percent" },
	{ 0x01, 88, 7, false, "Resource availability", "" },
	{ 0x01, 96, 1, false, "Random write resources used", "percent" },
	{ 0x02, 8, 4, false, "Number of free-fall events detected", "" },
	{ 0x02, 16, 4, false, "Overlimit shock events", "" },
	{ 0x03, 8, 4, false, "Spindle motor power-on hours", "hours" },
	{ 0x03, 16, 4, false, "Head flying hours", "hours" },
	{ 0x03, 24, 4, false, "Head load events", "" },
	{ 0x03, 32, 4, false, "Number of reallocated logical sectors", "" },
	{ 0x03, 40, 4, false, "Read recovery attempts", "" },
	{ 0x03, 48, 4, false, "Number of mechanical start failures", "" },
	{ 0x03, 56, 4, false, "Number of reallocation candidate logical sectors", "" },
	{ 0x03, 64, 4, false, "Number of high priority unload events", "" },
	{ 0x04, 8, 4, false, "Number of reported uncorrectable errors", "" },
	{ 0x04, 16, 4, false, "Number of resets between command acceptance and completion", "" },
	{ 0x04, 24, 4, false, "Physical element status changed", "" },
	{ 0x05, 8, 1, true, "Current temperature", "celsius" },
	{ 0x05, 16, 1, true, "Average short term temperature", "celsius" },
	{ 0x05, 24, 1, true, "Average long term temperature", "celsius" },
	{ 0x05, 32, 1, true, "Highest temperature", "celsius" },
	{ 0x05, 40, 1, true, "Lowest temperature", "celsius" },
	{ 0x05, 48, 1, true, "Highest average short term temperature", "celsius" },
	{ 0x05, 56, 1, true, "Lowest average short term temperature", "celsius" },
	{ 0x05, 64, 1, true, "Highest average long term temperature", "celsius" },
	{ 0x05, 72, 1, true, "Lowest average long term temperature", "celsius" },
	{ 0x05, 80, 4, false, "Time in over-temperature", "minutes" },
	{ 0x05, 88, 1, true, "Specified maximum operating temperature", "celsius" },
	{ 0x05, 96, 4, false, "Time in under-temperature", "minutes" },
	{ 0x05, 104, 1, true, "Specified minimum operating temperature", "celsius" },
	{ 0x06, 8, 4, false, "Number of hardware resets", "" },
	{ 0x06, 16, 4, false, "Number of ASR events", "" },
	{ 0x06, 24, 4, false, "Number of interface CRC errors", "" },
	{ 0x07, 8, 1, false, "Percentage used endurance indicator", "percent" },
	{ 0x08, 8, 4, false, "Maximum open zones", "" },
	{ 0x08, 16, 4, false, "Maximum explicitly open zones", "" },
	{ 0x08, 24, 4, false, "Maximum implicitly open zones", "" },
	{ 0x08, 32, 4, false, "Minimum empty zones", "" },
	{ 0x08, 40, 4, false, "Maximum non-sequential zones", "" },
	{ 0x08, 48, 4, false, "Zones emptied", "" },
	{ 0x08, 56, 4, false, "Suboptimal write commands", "" },
	{ 0x08, 64, 4, false, "Commands exceeding optimal limit", "" },
	{ 0x08, 72, 4, false, "Failed explicit opens", "" },
	{ 0x08, 80, 4, false, "Read rule violations", "" },
	{ 0x08, 88, 4, false, "Write rule violations", "" },
	{ 0x08, 96, 4, false, "Maximum implicitly open zones, sequential or before required", "" },
};

const struct known_statistic *statistic_known(uint8_t page, size_t at)
{
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (known[i].page == page && known[i].at == at)
			return &known[i];
	return NULL;
}

const char *statistics_page_name(uint8_t page)
{
	static const char *const names[] = {
		[0x00] = "List of supported pages",
		[0x01] = "General Statistics",
		[0x02] = "Free-fall Statistics",
		[0x03] = "Rotating Media Statistics",
		[0x04] = "General Errors Statistics",
		[0x05] = "Temperature Statistics",
		[0x06] = "Transport Statistics",
		[0x07] = "Solid State Device Statistics",
		[0x08] = "Zoned Device Statistics",
		[0x09] = "Command Duration Limits Statistics",
		[0x0a] = "Command Duration Limits Statistics",
	};

	if (page < ARRAY_LEN(names))
		return names[page];
	return page == 0xff ? "Vendor Specific Statistics" : "Unknown Statistics";
}
