"""The claims of `smartctl -x -j`."""
import re

from tally import Cell, Near

RESULTS = {0: "completed without error", 1: "aborted by host", 2: "interrupted by reset",
           3: "fatal or unknown error, not completed", 4: "failed: unknown element",
           5: "failed: electrical element", 6: "failed: servo or seek element",
           7: "failed: read element", 8: "failed: handling damage suspected", 15: "in progress"}
STATISTICS = "device_statistics"


def at(data, path, default=None):
    for name in path.split("."):
        if not isinstance(data, dict) or name not in data:
            return default
        data = data[name]
    return data


def gbps(speed):
    return speed["units_per_second"] * speed["bits_per_unit"] / 1e9


SIMPLE = (  # of both protocols: where it stands, our key
    ("serial_number", "identity.serial"),
    ("user_capacity.bytes", "capacity.bytes"),
    ("user_capacity.blocks", "capacity.block_count"),
    ("logical_block_size", "capacity.logical_block_bytes"),
    ("physical_block_size", "capacity.physical_block_bytes"),
    ("rotation_rate", "identity.rotation_rpm"),
    ("smart_support.available", "health.smart_supported"),
    ("smart_support.enabled", "health.smart_enabled"),
    ("write_cache.enabled", "power_loss.write_cache_enabled"),
    ("temperature.current", "temperature.current_celsius"),
    ("power_on_time.hours", "usage.power_on_hours"),
    ("power_cycle_count", "usage.power_cycle_count"),
)
SIMPLE_ATA = (
    ("model_name", "identity.model"),
    ("firmware_version", "identity.firmware"),
    ("trim.supported", "capacity.trim_supported"),
    ("trim.deterministic", "capacity.trim_deterministic"),
    ("trim.zeroed", "capacity.trim_reads_zero"),
    ("ata_security.enabled", "security.enabled"),
    ("ata_security.frozen", "security.frozen"),
    ("ata_apm.enabled", "power.apm_enabled"),
    ("ata_apm.level", "power.apm_level"),
    ("ata_smart_data.offline_data_collection.completion_seconds", "selftest.offline_seconds"),
    ("ata_smart_data.self_test.polling_minutes.short", "selftest.short_minutes"),
    ("ata_smart_data.self_test.polling_minutes.extended", "selftest.extended_minutes"),
    ("ata_smart_data.self_test.polling_minutes.conveyance", "selftest.conveyance_minutes"),
    ("ata_smart_data.capabilities.self_tests_supported", "selftest.supported"),
    ("ata_smart_data.capabilities.conveyance_self_test_supported", "selftest.conveyance_supported"),
    ("ata_smart_data.capabilities.selective_self_test_supported", "selftest.selective_supported"),
    ("ata_sct_status.temperature.power_cycle_min", "temperature.lowest_since_power_on_celsius"),
    ("ata_sct_status.temperature.power_cycle_max", "temperature.highest_since_power_on_celsius"),
    ("ata_sct_status.temperature.lifetime_min", "temperature.lowest_celsius"),
    ("ata_sct_status.temperature.lifetime_max", "temperature.highest_celsius"),
    ("ata_sct_status.temperature.over_limit_count", "temperature.over_limit_interval_count"),
    ("ata_sct_status.temperature.under_limit_count", "temperature.under_limit_interval_count"),
    ("ata_sct_temperature_history.sampling_period_minutes", "temperature.sampling_minutes"),
    ("ata_sct_temperature_history.logging_interval_minutes",
     "temperature.history_interval_minutes"),
    ("ata_pending_defects_log.count", "errors.pending_count"),
    ("ata_smart_error_log.extended.count", "errors.logged_count"),
)
SIMPLE_SCSI = (
    ("scsi_vendor", "identity.vendor"),
    ("scsi_product", "identity.model"),
    ("scsi_revision", "identity.firmware"),
    ("scsi_version", "identity.standard"),
    ("logical_unit_id", "identity.wwn"),
    ("scsi_lb_provisioning.management_enabled.value", "capacity.provisioning_managed"),
    ("scsi_lb_provisioning.read_zeros.value", "capacity.trim_reads_zero"),
    ("scsi_protection_type", "protection.type_now"),
    ("temperature_warning.enabled", "health.warnings_enabled"),
    ("scsi_percentage_used_endurance_indicator", "endurance.used_percent"),
    ("temperature.drive_trip", "temperature.limit_celsius"),
    ("scsi_start_stop_cycle_counter.accumulated_start_stop_cycles", "usage.start_stop_count"),
    ("scsi_start_stop_cycle_counter.accumulated_load_unload_cycles", "usage.load_cycle_count"),
    ("scsi_start_stop_cycle_counter.specified_cycle_count_over_device_lifetime",
     "usage.specified_start_stop_count"),
    ("scsi_start_stop_cycle_counter.specified_load_unload_count_over_device_lifetime",
     "usage.specified_load_cycle_count"),
    ("scsi_grown_defect_list", "errors.grown_defect_count"),
    ("scsi_background_scan.status.number_scans_performed", "errors.background_scan_count"),
    ("scsi_background_scan.status.number_medium_scans_performed",
     "errors.background_medium_scan_count"),
)
FLAGS = {"scsi_lb_provisioning.management_enabled.value", "scsi_lb_provisioning.read_zeros.value"}


def form_factor(name):
    """'2.5 inches' as assay writes it."""
    return name.replace("inches", "inch").replace("< ", "below ")


def ata_identity(data):
    if "wwn" in data:
        wwn = data["wwn"]
        yield "identity.wwn", f"0x{wwn['naa'] << 60 | wwn['oui'] << 36 | wwn['id']:016x}"
    if at(data, "ata_version.string"):
        yield "identity.standard", re.split(r"[ ,]", data["ata_version"]["string"])[0]
    for name, key in (("max", "link.max_gbps"), ("current", "link.now_gbps")):
        if at(data, f"interface_speed.{name}"):
            yield key, gbps(data["interface_speed"][name])


def ata_attributes(data):
    for row in at(data, "ata_smart_attributes.table", []):
        for column, value in (("value", row["value"]), ("worst", row["worst"]),
                              ("threshold", row.get("thresh")), ("flags", row["flags"]["value"]),
                              ("raw", row["raw"]["value"]), ("name", row["name"]),
                              ("prefailure", row["flags"]["prefailure"])):
            yield Cell("ata_attributes", column, id=row["id"]), value
        failed = row.get("when_failed") or None
        yield Cell("ata_attributes", "failing", id=row["id"]), failed


def ata_statistics(data):
    for page in at(data, "ata_device_statistics.pages", []):
        for row in page["table"] if page and "table" in page else []:
            if row and row["flags"]["valid"]:
                where = {"page": page["number"], "offset": row["offset"]}
                yield Cell(STATISTICS, "value", **where), row["value"]


def ata_directory(data):
    for row in at(data, "ata_log_directory.table", []):
        for name, column in (("gp_sectors", "gpl_pages"), ("smart_sectors", "smart_pages")):
            if name in row and row["address"]:
                yield Cell("log_directory", column, log=row["address"]), row[name]


def ata_self_tests(data):
    logs = at(data, "ata_smart_self_test_log", {})
    log = logs.get("extended") or logs.get("standard") or {}
    for index, row in enumerate(log.get("table", []), 1):
        where = {"index": index}
        yield Cell("self_tests", "power_on_hours", **where), row["lifetime_hours"]
        yield Cell("self_tests", "result", **where), RESULTS.get(row["status"]["value"] >> 4)
        if "lba" in row:
            yield Cell("self_tests", "first_failure_lba", **where), row["lba"]
        remaining = row["status"].get("remaining_percent")
        if remaining is not None:
            yield Cell("self_tests", "remaining_percent", **where), remaining


def ata_errors(data):
    for row in at(data, "ata_smart_error_log.extended.table", []):
        where = {"number": row["error_number"]}
        registers = row["completion_registers"]
        yield Cell("error_log", "power_on_hours", **where), row["lifetime_hours"]
        for name in ("error", "status", "count", "lba", "device"):
            yield Cell("error_log", name, **where), registers[name]


def ata_others(data):
    for row in at(data, "sata_phy_event_counters.table", []):
        yield Cell("phy_event_counters", "value", id=row["id"]), row["value"]
    history = at(data, "ata_sct_temperature_history", {})
    for age, celsius in enumerate(reversed(history.get("table", []))):
        if celsius is not None:
            minutes = age * max(history["logging_interval_minutes"], 1)
            yield Cell("temperature_history", "celsius", minutes_ago=minutes), celsius


def scsi_self_tests(data):
    for index in range(20):
        test = at(data, f"scsi_self_test_{index}")
        if not test:
            continue
        where = {"index": index + 1}
        yield Cell("self_tests", "power_on_hours", **where), at(test, "power_on_time.hours")
        if test["result"]["value"] in RESULTS and test["result"]["value"] == 0:
            yield Cell("self_tests", "result", **where), RESULTS[0]
        lba = at(test, "lba_first_failure.value")
        if lba is not None:
            yield Cell("self_tests", "first_failure_lba", **where), lba


COUNTERS = (("errors_corrected_by_eccfast", "corrected_without_delay"),
            ("errors_corrected_by_eccdelayed", "corrected_with_delay"),
            ("errors_corrected_by_rereads_rewrites", "retries"),
            ("total_errors_corrected", "corrected_total"),
            ("correction_algorithm_invocations", "algorithm_runs"),
            ("total_uncorrected_errors", "uncorrected"))


def scsi_counters(data):
    for operation, row in at(data, "scsi_error_counter_log", {}).items():
        for name, column in COUNTERS:
            yield Cell("error_counters", column, operation=operation), row[name]
        processed = float(row["gigabytes_processed"]) * 1e9
        yield Cell("error_counters", "processed_bytes", operation=operation), Near(processed, 0.6e6)


PHY = (("sas_address", "sas_address"), ("attached_sas_address", "attached_sas_address"),
       ("invalid_dword_count", "invalid_dwords"),
       ("running_disparity_error_count", "running_disparity_errors"),
       ("loss_of_dword_synchronization_count", "loss_of_dword_sync"),
       ("phy_reset_problem_count", "phy_reset_problems"))


def scsi_phys(data):
    for name, port in data.items():
        if not name.startswith("scsi_sas_port_"):
            continue
        for phy in (v for k, v in port.items() if k.startswith("phy_")):
            where = {"port": port["relative_target_port_id"], "phy": phy["identifier"]}
            for theirs, column in PHY:
                yield Cell("phys", column, **where), phy[theirs]
            rate = re.search(r"([\d.]+) Gbps", phy["negotiated_logical_link_rate"])
            if rate:
                yield Cell("phys", "now_gbps", **where), float(rate[1])


def scsi_scan(data):
    for name, row in at(data, "scsi_background_scan", {}).items():
        if not name.startswith("result_"):
            continue
        where = {"index": row["parameter_code"]}
        for column, value in (("power_on_minutes", row["accumulated_power_on"]["minutes"]),
                              ("lba", row["lba"]), ("sense_key", row["sense_key"]["value"]),
                              ("asc", row["asc"]), ("ascq", row["ascq"])):
            yield Cell("background_scan", column, **where), value


def claims(data):
    """(topic, key, value) of everything that the report says."""
    ata = at(data, "device.protocol") == "ATA"
    for path, key in SIMPLE + (SIMPLE_ATA if ata else SIMPLE_SCSI):
        value = at(data, path)
        if value is not None:
            yield key, bool(value) if path in FLAGS else value
    if at(data, "form_factor.name"):
        yield "identity.form_factor", form_factor(data["form_factor"]["name"])
    if at(data, "smart_status.passed") is not None:
        yield "health.self_assessment", "passed" if data["smart_status"]["passed"] else "failed"
    parts = ((ata_identity, ata_attributes, ata_statistics, ata_directory, ata_self_tests,
              ata_errors, ata_others) if ata else
             (scsi_self_tests, scsi_counters, scsi_phys, scsi_scan))
    for part in parts:
        yield from part(data)
