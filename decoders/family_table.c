/*
 * Families of SATA drives. The units of what was written are those which the
 * ratio to the device statistics "logical sectors written" and "logical sectors
 * read" of such drives shows; a family of which nobody has shown it is not listed.
 */
#include "family.h"

static const struct family_attribute intel_dell[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 233, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 225, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
	{ .id = 245,
		.meaning = MEANING_USED,
		.encoding = ENCODING_VALUE_LEFT,
		.name = "Percent_Life_Remaining" },
	{ .id = 201,
		.meaning = MEANING_CAPACITOR,
		.encoding = ENCODING_VALUE_GOOD,
		.format = RAW_CAPACITOR,
		.name = "Power_Loss_Cap_Test" },
	{ .id = 202, .meaning = MEANING_NONE, .name = "End_of_Life" },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
	{ .id = 170, .meaning = MEANING_SPARE },
	{ .id = 190, .meaning = MEANING_CASE_TEMPERATURE },
	{ .id = 234, .meaning = MEANING_THROTTLES, .encoding = ENCODING_ABOVE_BYTE },
	{ .id = 226, .meaning = MEANING_NONE, .format = RAW_PERCENT_1024TH },
};

static const struct family_attribute intel_sandforce[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 225, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
	{ .id = 249, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 233, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 9, .meaning = MEANING_HOURS, .format = RAW_MILLISECONDS_HOURS },
	{ .id = 192, .meaning = MEANING_UNSAFE_SHUTDOWNS },
	{ .id = 232, .meaning = MEANING_SPARE },
};

static const struct family_attribute intel_data_center[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 225, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
	{ .id = 243, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 233, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 232, .meaning = MEANING_SPARE },
	{ .id = 170, .meaning = MEANING_SPARE },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
	{ .id = 192, .meaning = MEANING_UNSAFE_SHUTDOWNS, .name = "Unsafe_Shutdown_Count" },
	{ .id = 175,
		.meaning = MEANING_CAPACITOR,
		.encoding = ENCODING_VALUE_GOOD,
		.format = RAW_CAPACITOR,
		.name = "Power_Loss_Cap_Test" },
	{ .id = 190, .meaning = MEANING_CASE_TEMPERATURE, .name = "Case_Temperature" },
	{ .id = 234, .meaning = MEANING_THROTTLES, .encoding = ENCODING_ABOVE_BYTE },
	{ .id = 226, .meaning = MEANING_NONE, .format = RAW_PERCENT_1024TH },
};

static const struct family_attribute samsung_data_center[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR },
	{ .id = 251, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 177, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 179, .meaning = MEANING_SPARE },
	{ .id = 180, .meaning = MEANING_SPARE },
	{ .id = 235, .meaning = MEANING_UNSAFE_SHUTDOWNS, .name = "POR_Recovery_Count" },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute samsung_retail[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR },
	{ .id = 177, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 179, .meaning = MEANING_SPARE },
	{ .id = 235, .meaning = MEANING_UNSAFE_SHUTDOWNS, .name = "POR_Recovery_Count" },
};

static const struct family_attribute micron_data_center[] = {
	{ .id = 246, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 247, .meaning = MEANING_HOST_PAGES, .unit_bytes = UNIT_16_KIB },
	{ .id = 248, .meaning = MEANING_BACKGROUND_PAGES, .unit_bytes = UNIT_16_KIB },
	{ .id = 202, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 170, .meaning = MEANING_SPARE },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute micron_no_host_counter[] = {
	{ .id = 247, .meaning = MEANING_HOST_PAGES, .unit_bytes = UNIT_16_KIB },
	{ .id = 248, .meaning = MEANING_BACKGROUND_PAGES, .unit_bytes = UNIT_16_KIB },
	{ .id = 202, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute micron_m500dc_lenovo[] = {
	{ .id = 225, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 233, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR },
};

static const struct family_attribute micron_5300_lenovo[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 242, .meaning = MEANING_NONE },
};

/* 197 flips between 0 and 1 on good drives. */
static const struct family_attribute crucial[] = {
	{ .id = 246, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 247, .meaning = MEANING_HOST_PAGES, .unit_bytes = UNIT_16_KIB },
	{ .id = 248, .meaning = MEANING_BACKGROUND_PAGES, .unit_bytes = UNIT_16_KIB },
	{ .id = 202, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
	{ .id = 197, .meaning = MEANING_NONE },
};

static const struct family_attribute micron_old[] = {
	{ .id = 202, .meaning = MEANING_USED, .encoding = ENCODING_RAW },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute cloudspeed_2[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GB },
	{ .id = 233, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GB },
	{ .id = 245, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 178, .meaning = MEANING_USED, .encoding = ENCODING_RAW_LEFT_100TH },
	{ .id = 192, .meaning = MEANING_UNSAFE_SHUTDOWNS, .name = "Unclean_Shutdown_Count" },
	{ .id = 235, .meaning = MEANING_CAPACITOR, .encoding = ENCODING_RAW_0_GOOD },
	{ .id = 244, .meaning = MEANING_THROTTLES },
	{ .id = 13, .meaning = MEANING_UNCORRECTED, .name = "Lifetime_UECC_Ct" },
};

/* 241 is about 10^9 bytes, on one drive: not confirmed. */
static const struct family_attribute cloudspeed_1[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN },
	{ .id = 242, .meaning = MEANING_HOST_READ },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute sandisk_ultra_plus[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
	{ .id = 233, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 230, .meaning = MEANING_USED, .encoding = ENCODING_RAW_USED_256TH },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
	{ .id = 232, .meaning = MEANING_SPARE },
};

/* 233 is a copy of 230. */
static const struct family_attribute sandisk_ultra_plus_old[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR },
	{ .id = 233, .meaning = MEANING_NONE },
	{ .id = 230, .meaning = MEANING_USED, .encoding = ENCODING_RAW_USED_256TH },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute sandisk_consumer[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
	{ .id = 233, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute wd_blue[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
};

static const struct family_attribute phison[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
	{ .id = 233, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 231,
		.meaning = MEANING_USED,
		.encoding = ENCODING_RAW_LEFT,
		.name = "SSD_Life_Left" },
	{ .id = 192, .meaning = MEANING_UNSAFE_SHUTDOWNS, .name = "Unsafe_Shutdown_Count" },
	{ .id = 207, .meaning = MEANING_THROTTLES },
};

static const struct family_attribute phison_oem[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 231,
		.meaning = MEANING_USED,
		.encoding = ENCODING_RAW_LEFT,
		.name = "SSD_Life_Left" },
	{ .id = 192, .meaning = MEANING_UNSAFE_SHUTDOWNS, .name = "Unsafe_Shutdown_Count" },
};

static const struct family_attribute uv400[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
	{ .id = 231,
		.meaning = MEANING_USED,
		.encoding = ENCODING_VALUE_LEFT,
		.name = "SSD_Life_Left" },
};

static const struct family_attribute silicon_motion_32_mib[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
};

static const struct family_attribute kc600[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
	{ .id = 231,
		.meaning = MEANING_USED,
		.encoding = ENCODING_VALUE_LEFT,
		.name = "SSD_Life_Left" },
};

static const struct family_attribute host_gib[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
};

static const struct family_attribute nytro[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_GIB },
	{ .id = 233, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 173, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 231,
		.meaning = MEANING_USED,
		.encoding = ENCODING_VALUE_LEFT,
		.name = "SSD_Life_Left" },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute toshiba_hk[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
	{ .id = 173, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT_OF_200 },
};

static const struct family_attribute toshiba_32_mib[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
};

/* The raw value of 5, as those of 179 to 182, is 100 in a drive that is well: a
 * copy of VALUE, as it seems, and no count. */
static const struct family_attribute toshiba_xg[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_32_MIB },
	{ .id = 5, .meaning = MEANING_NONE },
};

static const struct family_attribute toshiba_thnsf8[] = {
	{ .id = 233, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_32_MIB },
};

static const struct family_attribute ocz_vector[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 249, .meaning = MEANING_NAND_WRITTEN, .unit_bytes = UNIT_GIB },
	{ .id = 233, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT },
	{ .id = 174, .meaning = MEANING_UNSAFE_SHUTDOWNS },
};

static const struct family_attribute barefoot[] = {
	{ .id = 199, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR, .format = RAW_64 },
	{ .id = 198, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR, .format = RAW_64 },
	{ .id = 9, .meaning = MEANING_HOURS, .format = RAW_64 },
	{ .id = 12, .meaning = MEANING_POWER_CYCLES, .format = RAW_64 },
	{ .id = 209, .meaning = MEANING_USED, .encoding = ENCODING_VALUE_LEFT, .format = RAW_64 },
};

static const struct family_attribute apple_mib[] = {
	{ .id = 175, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_MIB },
	{ .id = 174, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_MIB },
};

static const struct family_attribute rotating_sectors[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR },
};

static const struct family_attribute seagate_sectors[] = {
	{ .id = 241, .meaning = MEANING_HOST_WRITTEN, .unit_bytes = UNIT_SECTOR },
	{ .id = 242, .meaning = MEANING_HOST_READ, .unit_bytes = UNIT_SECTOR },
	{ .id = 1, .meaning = MEANING_NONE, .format = RAW_RATE },
	{ .id = 7, .meaning = MEANING_NONE, .format = RAW_RATE },
	{ .id = 195, .meaning = MEANING_NONE, .format = RAW_RATE },
	{ .id = 188, .meaning = MEANING_NONE, .format = RAW_COUNTERS },
};

static const struct family_attribute seagate[] = {
	{ .id = 1, .meaning = MEANING_NONE, .format = RAW_RATE },
	{ .id = 7, .meaning = MEANING_NONE, .format = RAW_RATE },
	{ .id = 195, .meaning = MEANING_NONE, .format = RAW_RATE },
	{ .id = 188, .meaning = MEANING_NONE, .format = RAW_COUNTERS },
};

static const struct family_attribute toshiba_hours[] = {
	{ .id = 9, .meaning = MEANING_HOURS, .encoding = ENCODING_TOSHIBA },
};

#define ATTRIBUTES(table) .attributes = (table), .attribute_count = ARRAY_LEN(table)

/* The more special pattern comes first. */
const struct family families[] = {
	{ .name = "Intel data center SATA, Dell firmware",
		.model = "(INTEL )?SSDSC.*",
		.firmware = ".*DL[0-9A-F]{2}",
		ATTRIBUTES(intel_dell) },
	{ .name = "Intel SATA, IBM and Lenovo firmware",
		.model = "(INTEL )?SSDSC[^ ]* +[0-9][0-9A-Z]{6}.*",
		.strange = true },
	{ .name = "Intel 330, 520",
		.model = "INTEL SSDSC2C[TW][0-9]{3}A3F?",
		ATTRIBUTES(intel_sandforce) },
	{ .name = "Intel DC S3500 to S4620, 730",
		.model = "(INTEL|SOLIDIGM) SSDSC([12](B[ABXGP]|K[BG])|K(JB|KB))[0-9]{3}[A-Z][0-9Z]",
		ATTRIBUTES(intel_data_center) },
	{ .name = "Samsung data center SATA",
		.model = "(SAMSUNG )?MZ7(LM|KM|LH|KH|L3|WD|GE)[0-9A-Z]*(-[0-9A-Z]{5})?|Samsung SSD "
			 "(845DC|883 DCT).*",
		ATTRIBUTES(samsung_data_center) },
	{ .name = "Samsung SSD 830 to 870, PM871b",
		.model = "Samsung SSD 8[3-7]0 .*|SAMSUNG SSD 830 Series|SAMSUNG SSD PM871b .*",
		ATTRIBUTES(samsung_retail) },
	{ .name = "Micron 5100 to 5400",
		.model = "Micron_5[1-4][0-9]0(HC)?_MTFDDA[AKV].*",
		ATTRIBUTES(micron_data_center) },
	{ .name = "Micron M500DC, Lenovo firmware",
		.model = "MTFDDAK[0-9]+MBB-.*LEN",
		.strange = true,
		ATTRIBUTES(micron_m500dc_lenovo) },
	{ .name = "Micron 5300, Lenovo firmware",
		.model = "MTFDDA[KV][0-9T]+TD[ST]-.*LEN",
		.strange = true,
		ATTRIBUTES(micron_5300_lenovo) },
	{ .name = "Micron M500DC, M510DC",
		.model = "M(ICRON|icron)_M5[01]0DC_.*",
		ATTRIBUTES(micron_no_host_counter) },
	{ .name = "Micron P300, P400e", .model = "P[34]00e?-MTFDDA.*", ATTRIBUTES(micron_old) },
	{ .name = "Crucial BX and MX, Micron 1100 and 1300",
		.model = "(Crucial_)?CT[0-9]+(BX|MX)[0-9]+SSD.*|(Crucial_CT[0-9]+|Micron_)M5[05]0.*"
			 "|Micron_1[13]00_.*|Micron_M600_.*",
		ATTRIBUTES(crucial) },
	{ .name = "SanDisk CloudSpeed, second generation",
		.model = "SDLF[1-3].*",
		ATTRIBUTES(cloudspeed_2) },
	{ .name = "SanDisk CloudSpeed, first generation",
		.model = "SDLF[NO].*",
		ATTRIBUTES(cloudspeed_1) },
	{ .name = "SanDisk Ultra Plus",
		.model = "SanDisk SDSSDHP.*",
		.firmware = "X23.*",
		ATTRIBUTES(sandisk_ultra_plus) },
	{ .name = "SanDisk Ultra Plus, early firmware",
		.model = "SanDisk SDSSDHP.*",
		.firmware = "X2112.*",
		ATTRIBUTES(sandisk_ultra_plus_old) },
	{ .name = "SanDisk X100, early firmware",
		.model = "SanDisk SD5S.*",
		.firmware = "10\\..*",
		ATTRIBUTES(sandisk_ultra_plus_old) },
	{ .name = "SanDisk X110, X210",
		.model = "SanDisk SD6S.*",
		.firmware = "X23.*",
		ATTRIBUTES(sandisk_ultra_plus) },
	{ .name = "SanDisk SATA",
		.model =
			"SanDisk (SD[789]S.*|SDSSDA.*|SDSSDH3.*|SDSSDXPS.*|SSD PLUS.*|Ultra II .*)",
		ATTRIBUTES(sandisk_consumer) },
	{ .name = "WD Blue, Green and Red SSD",
		.model = "WDC +WDS[0-9]+[GT][0-9][A-Z]0[AB].*",
		ATTRIBUTES(wd_blue) },
	{ .name = "Kingston A400 and DC400 to DC600",
		.model = "KINGSTON S(A400|EDC[456][0-9]0).*",
		.firmware = "S.*",
		ATTRIBUTES(phison) },
	{ .name = "Phison based",
		.model = ".*",
		.firmware = "S[AB]F[KM].*|SCEK.*",
		ATTRIBUTES(phison_oem) },
	{ .name = "Kingston UV400, UV500", .model = "KINGSTON SUV[45]00.*", ATTRIBUTES(uv400) },
	{ .name = "Kingston KC600", .model = "KINGSTON SKC600.*", ATTRIBUTES(kc600) },
	{ .name = "Transcend, HP S750",
		.model = "TS[0-9]+G(MTS400SD?|SSD360S|MSA230S|SSD230S)|HP SSD S750 .*|ADATA "
			 "(SP550|SU655)",
		ATTRIBUTES(silicon_motion_32_mib) },
	/* Brands that change their controller: only with the firmware that was seen. */
	{ .name = "INTENSO SSD, V0718",
		.model = "INTENSO SSD",
		.firmware = "V0718.*",
		ATTRIBUTES(silicon_motion_32_mib) },
	{ .name = "Portable SSD, T0724",
		.model = "Portable SSD",
		.firmware = "T0724.*",
		ATTRIBUTES(silicon_motion_32_mib) },
	{ .name = "SPCC M.2 SSD, HT3418",
		.model = "SPCC M\\.2 SSD",
		.firmware = "HT3418.*",
		ATTRIBUTES(silicon_motion_32_mib) },
	{ .name = "HX GSSDSATA3",
		.model = "HX[0-9]+GSSDSATA3",
		.firmware = "666",
		ATTRIBUTES(silicon_motion_32_mib) },
	{ .name = "Innodisk 3IE3, 3ME3, 3ME4",
		.model = "(Innodisk |SATADOM-).*(3IE3|3ME[34]).*",
		ATTRIBUTES(silicon_motion_32_mib) },
	{ .name = "HP S700, LITEON CV1",
		.model = "HP SSD S700 .*|LITEON CV1-8B.*|P4-240",
		ATTRIBUTES(host_gib) },
	{ .name = "Seagate Nytro 1351, 1551",
		.model = "XA[0-9]+[MLS]E100[0-9]{2}",
		ATTRIBUTES(nytro) },
	{ .name = "Toshiba HK3R2, HK4R",
		.model = "TOSHIBA THNSN(J[0-9]+PC|8).*",
		ATTRIBUTES(toshiba_hk) },
	{ .name = "Toshiba HK6", .model = "TOSHIBA KHK61.*", ATTRIBUTES(toshiba_32_mib) },
	{ .name = "Toshiba XG", .model = "TOSHIBA THNSNK.*", ATTRIBUTES(toshiba_xg) },
	{ .name = "Toshiba THNSF8", .model = "(TOSHIBA )?THNSF8.*", ATTRIBUTES(toshiba_thnsf8) },
	{ .name = "Indilinx Barefoot",
		.model = "OCZ[- ](VERTEX|AGILITY|ONYX|SOLID2)([- ](TURBO|EX))?|TS[0-9]+GSSD25D-M",
		.firmware = "[0-9.]+",
		.strange = true,
		ATTRIBUTES(barefoot) },
	{ .name = "OCZ Vector", .model = "OCZ-VECTOR.*", ATTRIBUTES(ocz_vector), .strange = true },
	{ .name = "Apple SM and SD, F",
		.model = "APPLE SSD S[DM]0?[0-9]+F",
		ATTRIBUTES(apple_mib) },
	{ .name = "Seagate nearline and NAS",
		.model = "ST[0-9]+(NM|VN)[0-9A-Z]+-[123].*",
		ATTRIBUTES(seagate_sectors) },
	{ .name = "Seagate",
		.model = "(ST[0-9]+(A|AS|NS|SV|GAS|ASG|AV|ACE|SCE|DL|DM|VX|VM|LM|LT|NM|VN).*)|"
			 "MAXTOR STM.*",
		ATTRIBUTES(seagate) },
	{ .name = "Toshiba MG06 and later",
		.model = "TOSHIBA MG(0[6-9]|1[0-9]).*",
		ATTRIBUTES(rotating_sectors) },
	{ .name = "HGST Ultrastar",
		.model = "HGST HUH7.*|WDC +W[UH]H7.*",
		ATTRIBUTES(rotating_sectors) },
	{ .name = "Toshiba MK", .model = "TOSHIBA MK[0-9]+G.*", ATTRIBUTES(toshiba_hours) },
};

const size_t family_count = ARRAY_LEN(families);
