"""The claims of a drive's report, as the corpus' report_facts.py reads it."""
from tally import Cell, Near, Place
from smartctl_json import RESULTS

ATA_STANDARDS = {4: "ATA/ATAPI-4", 5: "ATA/ATAPI-5", 6: "ATA/ATAPI-6", 7: "ATA/ATAPI-7",
                 8: "ATA8-ACS", 9: "ACS-2", 10: "ACS-3", 11: "ACS-4", 12: "ACS-5"}
FORM_FACTORS = {1: "5.25 inch", 2: "3.5 inch", 3: "2.5 inch", 4: "1.8 inch", 5: "below 1.8 inch",
                6: "mSATA", 7: "M.2", 8: "MicroSSD", 9: "CFast"}
SPEEDS = {1: 1.5, 2: 3, 3: 6}
TESTS = {0: "off-line collection", 1: "short", 2: "extended", 3: "conveyance", 4: "selective",
         0x7f: "abort", 0x81: "short, captive", 0x82: "extended, captive",
         0x83: "conveyance, captive", 0x84: "selective, captive"}
STATES = ("unknown", "sleep", "standby", "active or idle", "self-test or off-line collection")
SCSI_TESTS = ("default", "background short", "background extended", "reserved (3)",
              "abort background", "foreground short", "foreground extended", "reserved (7)")
SCSI_RESULTS = {0: "completed without error", 1: "aborted by SEND DIAGNOSTIC",
                2: "aborted by other means", 3: "unknown error, not completed", 4: "failed in an unknown segment",
                5: "failed in the first segment", 6: "failed in the second segment",
                7: "failed in another segment", 15: "in progress"}
RATES = {8: 1.5, 9: 3, 10: 6, 11: 12, 12: 22.5}
COUNTERS = ("corrected_without_delay", "corrected_with_delay", "retries", "corrected_total",
            "algorithm_runs", "processed_bytes", "uncorrected")
REGISTERS = ("error", "status", "count", "device")


def told(facts, table):
    for name, key in table:
        if facts.get(name) is not None:
            yield key, facts[name]


def rotation(facts):
    """1 stands for a solid state drive."""
    if facts.get("rotation"):
        yield "identity.rotation_rpm", 0 if facts["rotation"] == 1 else facts["rotation"]


def common(facts):
    yield from told(facts, (("lbs", "capacity.logical_block_bytes"),
                            ("pbs", "capacity.physical_block_bytes"),
                            ("smart", "health.smart_supported"),
                            ("smart_on", "health.smart_enabled")))
    if facts.get("bytes"):
        yield "capacity.bytes", facts["bytes"] // facts["lbs"] * facts["lbs"]
    yield from told(facts, (("blocks", "capacity.block_count"),))
    yield from rotation(facts)
    if facts.get("form_factor") in FORM_FACTORS:
        yield "identity.form_factor", FORM_FACTORS[facts["form_factor"]]
    if facts.get("passed") is not None:
        yield "health.self_assessment", "passed" if facts["passed"] else "failed"


# ---- ATA ----

def ata_identity(facts):
    if facts.get("model"):
        yield "identity.model", facts["model"]
    if facts.get("firmware"):
        yield "identity.firmware", facts["firmware"]
    if facts.get("wwn") is not None and not facts.get("guessed"):
        yield "identity.wwn", f"0x{facts['wwn']:016x}"
    major = facts.get("major")
    if major:
        yield "identity.standard", ATA_STANDARDS.get(major.bit_length() - 1)
    if facts.get("speed_max"):
        yield "link.max_gbps", SPEEDS.get(facts["speed_max"].bit_length() - 1)
    if facts.get("speed_now"):
        yield "link.now_gbps", SPEEDS.get(facts["speed_now"])
    if facts.get("trim"):
        yield "capacity.trim_supported", facts["trim"][0]
        if facts["trim"][0]:
            yield "capacity.trim_deterministic", facts["trim"][1]
            yield "capacity.trim_reads_zero", facts["trim"][2]
    yield from told(facts, (("wcache", "power_loss.write_cache_enabled"),))
    if facts.get("apm") is not None:
        yield "power.apm_enabled", facts["apm"] != "off"
        if facts["apm"] != "off":
            yield "power.apm_level", facts["apm"]


def ata_security(facts):
    state = facts.get("security")
    if state is None:
        return
    yield "security.supported", bool(state & 1)
    if state & 1:
        for bit, name in ((2, "enabled"), (4, "locked"), (8, "frozen"), (0x10, "count_expired")):
            yield f"security.{name}", bool(state & bit)


def ata_general(facts):
    """Bytes of SMART READ DATA (ACS-4, the vendor's part apart)."""
    general = facts["raw"].general

    def byte(at):
        return general.get(at, b"")[:1]

    if 364 in general:
        yield "selftest.offline_seconds", int.from_bytes(general[364], "little")
    if byte(362):
        yield "selftest.offline_automatic", bool(byte(362)[0] & 0x80)
    if byte(367):
        for bit, name in ((0x10, "supported"), (0x20, "conveyance_supported"),
                          (0x40, "selective_supported")):
            yield f"selftest.{name}", bool(byte(367)[0] & bit)
    if byte(363):
        result = byte(363)[0] >> 4
        yield "selftest.in_progress", result == 15
    if byte(372):
        yield "selftest.short_minutes", byte(372)[0]
    if byte(374) and byte(367) and byte(367)[0] & 0x20:
        yield "selftest.conveyance_minutes", byte(374)[0]
    if byte(373):
        long_form = byte(373)[0] == 255 and 375 in general
        minutes = int.from_bytes(general[375], "little") if long_form else byte(373)[0]
        yield "selftest.extended_minutes", minutes


def ata_attributes(facts):
    for index, row in enumerate(facts["raw"].attrs[:30]):
        values = {"id": row["id"], "value": row["value"], "worst": row["worst"]}
        if row["flags_known"]:
            values["flags"] = row["flags"]
        if row["raw"].trusted:
            values["raw"] = int.from_bytes(bytes(row["raw"].data), "little")
        if row["thresh"] is not None:
            values["threshold"] = row["thresh"]
        for column, value in values.items():
            if value is not None:
                yield Place("ata_attributes", column, index), value


def ata_statistics(facts):
    for page, (_, rows) in facts.get("statistics", {}).items():
        for offset, _, value, _ in rows:
            where = {"page": page, "offset": offset}
            if page != 0xff:
                yield Cell("device_statistics", "valid", **where), value is not None
            if value is not None:
                yield Cell("device_statistics", "value", **where), value


def ata_directory(facts):
    for name, column in (("gp_dir", "gpl_pages"), ("sl_dir", "smart_pages")):
        for log, pages in (facts.get(name) or {}).items():
            if log and pages:
                yield Cell("log_directory", column, log=log), pages


def ata_self_tests(facts):
    log = facts.get("ext_tests") or facts.get("tests") or {}
    for index, (kind, status, hours, lba) in enumerate(log.get("entries", [])):
        values = {"type": TESTS.get(kind), "result": RESULTS.get(status >> 4),
                  "power_on_hours": hours, "first_failure_lba": lba}
        for column, value in values.items():
            if value is not None:
                yield Place("self_tests", column, index), value


def whole_lba(registers, extended):
    """The log of 28-bit commands has LBA 27:24 in the device register; None: it is no LBA."""
    if extended:
        return registers["lba"]
    if not registers["device"] & 0x40:
        return None
    return registers["lba"] | (registers["device"] & 15) << 24


def ata_errors(facts, document):
    log = facts.get("ext_errors") or facts.get("summary") or {}
    extended = bool(facts.get("ext_errors"))
    if log:
        yield "errors.logged_count", log["count"]
    commands = {}
    for row in document.table("error_log_commands"):
        commands.setdefault(row["error_index"], []).append(row)
    for place, entry in enumerate(log.get("entries", [])):
        if entry["reg"]:
            index = error_index(entry, place, document)
            yield from ata_error(entry, index, extended)
            for claim in ata_error_commands(entry, index, commands.get(index, []), extended):
                if not (log.get("cut") and claim[0].column == "timestamp_ms"):
                    yield claim


def error_index(entry, place, document):
    """Of the entry with that number; a log that has counted to its end knows no numbers."""
    rows = document.table("error_log")
    for row in rows:
        if row["number"] == entry["number"]:
            return row["index"]
    return rows[place]["index"] if place < len(rows) and rows[place]["number"] is None else None


def ata_error(entry, index, extended):
    where = {"index": index}
    yield Cell("error_log", "power_on_hours", **where), entry["hours"]
    if entry["state"] < len(STATES):
        yield Cell("error_log", "state", **where), STATES[entry["state"]]
    for name in REGISTERS:
        yield Cell("error_log", name, **where), entry["reg"][name]
    lba = whole_lba(entry["reg"], extended)
    if lba is not None:
        yield Cell("error_log", "lba", **where), lba


def ata_error_commands(entry, index, rows, extended):
    """The report prints the newest first, the table has them in order of time."""
    for back, (registers, milliseconds) in enumerate(entry["commands"], 1):
        step = rows[-back]["step"] if back <= len(rows) else -back
        where = {"error_index": index, "step": step}
        values = {"command_code": registers["command"], "feature": registers["features"],
                  "count": registers["count"], "device": registers["device"],
                  "timestamp_ms": milliseconds, "lba": whole_lba(registers, extended)}
        for column, value in values.items():
            if value is not None:
                yield Cell("error_log_commands", column, **where), value


def ata_sct(facts):
    sct = facts.get("sct")
    if sct and not facts.get("sct_cut"):
        for name, key in (("now", "current"), ("cycle_min", "lowest_since_power_on"),
                          ("cycle_max", "highest_since_power_on"), ("life_min", "lowest"),
                          ("life_max", "highest")):
            if sct.get(name):
                yield f"temperature.{key}_celsius", sct[name]
        yield "temperature.over_limit_interval_count", sct["over"]
        yield "temperature.under_limit_interval_count", sct["under"]
    history = facts.get("history")
    if history:
        yield "temperature.sampling_minutes", history["period"]
        yield "temperature.history_interval_minutes", history["interval"]


def ata_others(facts):
    if facts.get("pending_count") is not None:
        yield "errors.pending_count", facts["pending_count"]
    for index, (lba, hours) in enumerate(facts.get("pending") or []):
        yield Place("pending_defects", "lba", index), lba
        if hours != 0xffffffff:
            yield Place("pending_defects", "power_on_hours", index), hours
    for number, size, value in facts.get("phy") or []:
        yield Cell("phy_event_counters", "value", id=number), value
        yield Cell("phy_event_counters", "bits", id=number), 8 * size


def ata(facts, document):
    for part in (common, ata_identity, ata_security, ata_general, ata_attributes, ata_statistics,
                 ata_directory, ata_self_tests, ata_sct, ata_others):
        yield from part(facts)
    yield from ata_errors(facts, document)


# ---- SCSI ----

def scsi_identity(facts):
    for name, key in (("vendor", "vendor"), ("product", "model"), ("revision", "firmware")):
        if facts.get(name):
            yield f"identity.{key}", facts[name]
    yield from told(facts, (("pi", "protection.type_now"),
                            ("wce", "power_loss.write_cache_enabled"),
                            ("warning", "health.warnings_enabled")))
    if facts.get("version"):
        yield "identity.standard", f"SPC-{facts['version'] - 2}"
    if facts.get("lu_id"):
        yield "identity.wwn", f"0x{facts['lu_id']:016x}"
    provisioning = facts.get("provisioning")
    if provisioning and provisioning[0]:
        yield "capacity.provisioning", ("", "resource", "thin")[provisioning[0]]
        yield "capacity.trim_reads_zero", bool(provisioning[2])


def scsi_counts(facts):
    yield from told(facts, (("temperature", "temperature.current_celsius"),
                            ("trip", "temperature.limit_celsius"),
                            ("endurance", "endurance.used_percent"),
                            ("grown", "errors.grown_defect_count"),
                            ("non_medium", "errors.non_medium_count"),
                            ("pending", "errors.pending_count"),
                            ("minutes", "usage.power_on_minutes")))
    for code, key in ((1, "errors.grown_in_format_count"),
                      (2, "errors.reassigned_in_format_count"),
                      (3, "errors.reassigned_since_format_count"),
                      (4, "usage.since_format_minutes")):
        if facts.get("format", {}).get(code, -1) >= 0:
            yield key, facts["format"][code]
    for operation, row in (facts.get("counters") or {}).items():
        for column, value in zip(COUNTERS, row):
            if column == "processed_bytes":
                value = Near(value * 10**6, 0.6e6)
            yield Cell("error_counters", column, operation=operation), value
    cycles = facts.get("cycles") or {}
    for code, key in ((3, "usage.specified_start_stop_count"), (4, "usage.start_stop_count"),
                      (5, "usage.specified_load_cycle_count"), (6, "usage.load_cycle_count")):
        if cycles.get(code) is not None:
            yield key, cycles[code]
    if cycles.get("year") and cycles.get("week"):
        yield "identity.manufacture_date", f"{cycles['year']}-W{cycles['week']}"
    environment = facts.get("environment")
    for place, key in ((1, "highest"), (2, "lowest"), (3, "highest_since_power_on"),
                       (4, "lowest_since_power_on")):
        if environment and environment[place] is not None:
            yield f"temperature.{key}_celsius", environment[place]


def scsi_tests(facts):
    for index, (code, result, segment, hours, lba, sense) in enumerate(facts.get("tests") or []):
        values = {"type": SCSI_TESTS[code], "result": SCSI_RESULTS.get(result),
                  "first_failure_lba": lba}
        if result != 15:
            values["power_on_hours"] = hours
        if segment:
            values["segment"] = segment
        if any(sense):
            values.update(zip(("sense_key", "asc", "ascq"), sense))
        for column, value in values.items():
            if value is not None:
                yield Place("self_tests", column, index), value


def scsi_scan(facts):
    scan = facts.get("scan")
    if scan:
        yield "errors.background_scan_count", scan["scans"]
        yield "errors.background_medium_scan_count", scan["medium"]
        yield "errors.background_scan_percent", Near(scan["progress"], 0.01)
    for index, (minutes, lba, sense, _) in enumerate(facts.get("scan_results") or []):
        values = {"power_on_minutes": minutes, "lba": lba}
        values.update(zip(("sense_key", "asc", "ascq"), sense))
        for column, value in values.items():
            yield Place("background_scan", column, index), value


def scsi_phys(facts):
    for port in facts.get("ports") or []:
        for phy in port["phys"]:
            where = {"port": port["port"], "phy": phy["id"]}
            values = {"now_gbps": RATES.get(phy["rate"]), "attached_phy": phy["attached_phy"]}
            for name, column in (("address", "sas_address"), ("attached", "attached_sas_address")):
                if phy[name]:
                    values[column] = f"0x{phy[name]:016x}"
            values.update(zip(("invalid_dwords", "running_disparity_errors", "loss_of_dword_sync",
                               "phy_reset_problems"), phy["counts"]))
            for column, value in values.items():
                if value is not None:
                    yield Cell("phys", column, **where), value


def scsi(facts, _document):
    for part in (common, scsi_identity, scsi_counts, scsi_tests, scsi_scan, scsi_phys):
        yield from part(facts)


def claims(facts, document):
    """(key, value) of everything that the report tells."""
    return (ata if facts["kind"] == "ATA" else scsi)(facts, document)
