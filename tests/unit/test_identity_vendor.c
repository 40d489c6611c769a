#include "drive.h"

static void an_unknown_maker_is_not_guessed(void **state)
{
	static const struct {
		const char *model, *vendor;
	} cases[] = {
		{ "ST4000NM0023-1AB107", "Seagate" },
		{ "STT_FTM28GX25H", NULL },
		{ "CT500MX500SSD1", "Crucial" },
		{ "CTX500", NULL },
		{ "SDLFNDAR-240G-1HA1", "SanDisk" },
		{ "MTFDDAK960TCB-1AR1ZABYY", "Micron" },
		{ "HUH721212ALE604", "HGST" },
		{ "SSDSC2BA400G3", "Intel" },
		{ "INTEL SSDSC2BA400G3", "Intel" },
		{ "MZ7KM480HAHP-00005", "Samsung" },
		{ "Samsung SSD 870 EVO 1TB", "Samsung" },
		{ "WDC WD2500AAJS-60Z0A0", "WD" },
		{ "TOSHIBA THNSN8960PCSE", "Toshiba" },
		{ "VK0240GECQN", NULL },
		{ "Portable SSD", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t identify[512];

		identify_ssd(identify);
		text_set(identify, 27, 40, cases[i].model);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_text(drive, "identity.model", cases[i].model);
		if (cases[i].vendor)
			expect_text(drive, "identity.vendor", cases[i].vendor);
		else
			expect_state(drive, "identity.vendor", FACT_UNKNOWN);
		drive_free(drive);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_maker_is_not_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
