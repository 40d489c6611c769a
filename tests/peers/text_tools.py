"""The claims of tools that print text: sg_inq, sg_readcap, sg_vpd, sg_logs, sdparm, hdparm."""
import re

from tally import Cell


def first(text, pattern, group=1):
    found = re.search(pattern, text, re.M)
    return found.group(group).strip() if found else None


def number(text, pattern):
    value = first(text, pattern)
    return int(value, 0) if value is not None else None


def numbers(text, table):
    """Each (pattern, key, factor) that is found, but for values that the tool calls none."""
    for pattern, key, factor in table:
        value = number(text, rf"{pattern}(?! blocks \[not reported)")
        if value is not None:
            yield key, value * factor


def flags(text, table):
    for pattern, key in table:
        value = first(text, pattern)
        if value is not None:
            yield key, value in ("1", "true")


def texts(text, table):
    for pattern, key in table:
        value = first(text, pattern)
        if value is not None:
            yield key, value


def sg_inq(text):
    yield from texts(text, ((r"Vendor identification:(.*)", "identity.vendor"),
                            (r"Product identification:(.*)", "identity.model"),
                            (r"Product revision level:(.*)", "identity.firmware"),
                            (r"Unit serial number:(.*)", "identity.serial"),
                            (r"version=0x\w+  \[(.*)\]", "identity.standard"),
                            (r"Peripheral device type: (\w+)", "identity.device_type")))
    yield from flags(text, ((r" Protect=(\d)", "protection.capable"),
                            (r"MultiP=(\d)", "link.multiport"),
                            (r"CmdQue=(\d)", "link.queuing")))


def sg_readcap(text):
    count = number(text, r"Number of logical blocks=(\d+)")
    length = number(text, r"Logical block length=(\d+)")
    exponent = number(text, r"blocks per physical block exponent=(\d+)")
    if count is None or exponent is None:
        return
    yield "capacity.block_count", count
    yield "capacity.logical_block_bytes", length
    yield "capacity.physical_block_bytes", length << exponent
    yield "capacity.bytes", count * length
    yield "capacity.lowest_aligned_block", number(text, r"Lowest aligned LBA=(\d+)")
    yield from flags(text, ((r"lbpme=(\d)", "capacity.provisioning_managed"),))
    enabled, kind = re.search(r"prot_en=(\d), p_type=(\d)", text).groups()
    yield "protection.type_now", int(kind) + 1 if enabled == "1" else 0


POWER_STATES = ("Standby_y", "Standby_z", "Idle_a", "Idle_b", "Idle_c")
VPD_NUMBERS = (
    (r"Optimal transfer length granularity: (\d+)", "capacity.optimal_granularity_blocks", 1),
    (r"Maximum transfer length: (\d+)", "capacity.max_transfer_blocks", 1),
    (r"Optimal transfer length: (\d+)", "capacity.optimal_transfer_blocks", 1),
    (r"Maximum unmap LBA count: (\d+)", "capacity.max_unmap_blocks", 1),
    (r"Maximum unmap block descriptor count: (\d+)", "capacity.max_unmap_descriptor_count", 1),
    (r"Optimal unmap granularity: (\d+)", "capacity.unmap_granularity_blocks", 1),
    (r"Maximum write same length: (\w+)", "capacity.max_write_same_blocks", 1),
    (r"Maximum atomic transfer length: (\d+)", "capacity.max_atomic_blocks", 1),
    (r"Nominal rotation rate: (\d+) rpm", "identity.rotation_rpm", 1),
    (r"Extended self-test completion minutes=(\d+)", "selftest.extended_minutes", 1),
    (r"Stopped condition recovery time \(ms\) (\d+)", "power.stopped_recovery_us", 1000),
)
VPD_FLAGS = (
    (r"GRD_CHK=(\d)", "protection.guard_check"),
    (r"APP_CHK=(\d)", "protection.application_check"),
    (r"REF_CHK=(\d)", "protection.reference_check"),
    (r"NO_PI_CHK=(\d)", "protection.no_check_supported"),
    (r"P_I_I_SUP=(\d)", "protection.interval_supported"),
    (r" NV_SUP=(\d)", "power_loss.nonvolatile_cache"),
    (r" V_SUP=(\d)", "power_loss.volatile_cache"),
    (r"Unmap command supported \(LBPU\): (\d)", "capacity.trim_supported"),
    (r"Anchored LBAs supported \(ANC_SUP\): (\d)", "capacity.anchor_supported"),
)


def sg_vpd(text):
    yield from texts(text, ((r"Unit serial number:(.+)", "identity.serial"),
                            (r"Nominal form factor: ([\d.]+ inch)", "identity.form_factor"),
                            (r"Provisioning type: \d \((full|resource|thin)",
                             "capacity.provisioning")))
    unit = first(text, r"Addressed logical unit:\n([\s\S]*?)\n  \S")
    wwn = first(unit or "", r"designator type: NAA[\s\S]*?(0x[0-9a-f]{16})$")
    if wwn:
        yield "identity.wwn", wwn
    if "Non-rotating medium" in text:
        yield "identity.rotation_rpm", 0
    yield from numbers(text, VPD_NUMBERS)
    yield from flags(text, VPD_FLAGS)
    for state in POWER_STATES:
        supported = first(text, rf"\b{state}=(\d)")
        if supported is None:
            continue
        row = {"name": state.lower()}
        yield Cell("power_states", "supported", **row), supported == "1"
        if supported == "1":
            recovery = number(text, rf"{state} condition recovery time \(ms\) (\d+)")
            yield Cell("power_states", "recovery_ms", **row), recovery
            yield f"power.{state.lower()}_recovery_us", recovery * 1000
    for identifier, watts in re.findall(r"consumption identifier: (\w+) .* (\d+) Watts", text):
        yield Cell("power_consumption", "milliwatts", id=int(identifier, 0)), int(watts) * 1000


LOG_COUNTERS = ((r"corrected without substantial delay = (\d+)", "corrected_without_delay"),
                (r"corrected with possible delays = (\d+)", "corrected_with_delay"),
                (r"rewrites or rereads = (\d+)", "retries"),
                (r"Total errors corrected = (\d+)", "corrected_total"),
                (r"algorithm processed = (\d+)", "algorithm_runs"),
                (r"bytes processed = (\d+)", "processed_bytes"),
                (r"uncorrected errors = (\d+)", "uncorrected"))
LOG_NUMBERS = (
    (r"Non-medium error count = (\d+)", "errors.non_medium_count", 1),
    (r"^  Current temperature = (-?\d+) C", "temperature.current_celsius", 1),
    (r"Reference temperature = (-?\d+) C", "temperature.limit_celsius", 1),
    (r"Accumulated start-stop cycles = (\d+)", "usage.start_stop_count", 1),
    (r"Accumulated load-unload cycles = (\d+)", "usage.load_cycle_count", 1),
    (r"Percentage used endurance indicator: (\d+)", "endurance.used_percent", 1),
    (r"Accumulated power on minutes: (\d+)", "usage.power_on_minutes", 1),
    (r"Number of background scans performed: (\d+)", "errors.background_scan_count", 1),
    (r"number of read commands = (\d+)", "usage.read_command_count", 1),
    (r"number of write commands = (\d+)", "usage.write_command_count", 1),
)
LOG_PHY = ((r"negotiated logical link rate: ([\d.]+) Gbps", "now_gbps", float),
           (r"^    SAS address = (\w+)", "sas_address", str),
           (r"attached SAS address = (\w+)", "attached_sas_address", str),
           (r"attached phy identifier = (\d+)", "attached_phy", int),
           (r"Invalid DWORD count = (\d+)", "invalid_dwords", int),
           (r"disparity error count = (\d+)", "running_disparity_errors", int),
           (r"DWORD synchronization count = (\d+)", "loss_of_dword_sync", int),
           (r"Phy reset problem count = (\d+)", "phy_reset_problems", int))


def log_pages(text):
    """Title: the lines below it."""
    parts = re.split(r"^(\S.*?) *\[0x\w+(?:, 0x\w+)?\]$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def sg_logs(text):
    pages = log_pages(text)
    for operation in ("Write", "Read", "Verify"):
        page = pages.get(f"{operation} error counter page")
        for pattern, column in LOG_COUNTERS if page else ():
            value = number(page, pattern)
            if value is not None:
                yield Cell("error_counters", column, operation=operation.lower()), value
    yield from numbers(text, LOG_NUMBERS)
    for state, count in re.findall(r"Accumulated transitions to (\w+) = (\d+)", text):
        yield Cell("power_states", "transitions", name=state), int(count)
    for port in re.split(r"^relative target port id = ", text, flags=re.M)[1:]:
        for phy in re.split(r"^  phy identifier = ", port, flags=re.M)[1:]:
            where = {"port": int(re.match(r"\d+", port)[0]), "phy": int(re.match(r"\d+", phy)[0])}
            for pattern, column, kind in LOG_PHY:
                value = first(phy, pattern)
                if value is not None:
                    yield Cell("phys", column, **where), kind(value)
    tests = re.findall(r"Parameter code = (\d+), accumulated power-on hours = (\d+)", text)
    for code, hours in tests:
        yield Cell("self_tests", "power_on_hours", index=int(code)), int(hours)


def sdparm(text):
    found = re.search(r"^  WCE +(\d) +\[cha: (\w), def: +(\d)(?:, sav: +(\d))?", text, re.M)
    if found:
        yield "power_loss.write_cache_enabled", found[1] == "1"
        yield "power_loss.write_cache_changeable", found[2] == "y"
        yield "power_loss.write_cache_default", found[3] == "1"
        if found[4]:
            yield "power_loss.write_cache_saved", found[4] == "1"
    yield from flags(text, ((r"^  ATMPE +(\d)", "protection.application_tag_mode_page"),
                            (r"^  RWWP +(\d)", "protection.rejects_write_without_protection"),
                            (r"^  DPICZ +(\d)", "protection.zero_disables_check"),
                            (r"^  EWASC +(\d)", "health.warnings_enabled"),
                            (r"^  TEST +(\d)", "health.exception_test")))
    dexcpt = first(text, r"^  DEXCPT +(\d)")
    if dexcpt:
        yield "health.smart_enabled", dexcpt == "0"
    for name, state in (("IDLE", "idle_a"), ("IDLE_B", "idle_b"), ("IDLE_C", "idle_c"),
                        ("STANDBY", "standby_z"), ("STANDBY_Y", "standby_y")):
        enabled = first(text, rf"^  {name} +(\d)")
        if enabled:
            yield Cell("power_states", "enabled", name=state), enabled == "1"


HDPARM_FEATURES = (  # name: supported, enabled
    ("SMART feature set", "health.smart_supported", "health.smart_enabled"),
    ("Security Mode feature set", "security.supported", "security.enabled"),
    ("Write cache", None, "power_loss.write_cache_enabled"),
    ("Advanced Power Management feature set", "power.apm_supported", "power.apm_enabled"),
    ("Power-Up In Standby feature set", "power.puis_supported", "power.puis_enabled"),
    ("Host Protected Area feature set", "capacity.hpa_supported", None),
    ("WRITE_{DMA|MULTIPLE}_FUA_EXT", "power_loss.fua_supported", None),
    ("Mandatory FLUSH_CACHE", "power_loss.flush_supported", None),
    ("Native Command Queueing (NCQ)", "link.queuing", None),
    ("Host-initiated interface power management", "link.host_power_management", None),
    ("Device-initiated interface power management", "link.device_power_management",
     "link.device_power_management_enabled"),
    ("Phy event counters", "link.phy_events_supported", None),
    ("Device encrypts all user data", "security.encrypts_all", None),
)


def hdparm_security(text):
    part = first(text, r"^Security: \n([\s\S]*?)^\S")
    if not part:
        return
    for word, key in (("enabled", "security.enabled"), ("locked", "security.locked"),
                      ("frozen", "security.frozen"),
                      ("expired: security count", "security.count_expired")):
        found = re.search(rf"^\t(not)?\t{word}$", part, re.M)
        if found:
            yield key, found[1] is None
    yield from numbers(part, ((r"Master password revision code = (\d+)",
                               "security.master_password_id", 1),
                              (r"(\d+)min for SECURITY ERASE", "security.erase_minutes", 1),
                              (r"(\d+)min for ENHANCED", "security.enhanced_erase_minutes", 1)))


def hdparm(text):
    yield from texts(text, ((r"Model Number:(.*)", "identity.model"),
                            (r"Serial Number:(.*)", "identity.serial"),
                            (r"Firmware Revision:(.*)", "identity.firmware"),
                            (r"Form Factor: ([\d.]+ inch)", "identity.form_factor")))
    yield from numbers(text, (
        (r"LBA48  user addressable sectors: *(\d+)", "capacity.block_count", 1),
        (r"Logical  Sector size: *(\d+)", "capacity.logical_block_bytes", 1),
        (r"Physical Sector size: *(\d+)", "capacity.physical_block_bytes", 1),
        (r"Nominal Media Rotation Rate: (\d+)", "identity.rotation_rpm", 1),
        (r"Queue depth: (\d+)", "link.queue_depth_count", 1)))
    if "Rotation Rate: Solid State" in text:
        yield "identity.rotation_rpm", 0
    wwn = first(text, r"WWN Device Identifier: (\w{16})")
    if wwn:
        yield "identity.wwn", "0x" + wwn
    speeds = re.findall(r"Gen\d signaling speed \(([\d.]+)Gb/s\)", text)
    if speeds:
        yield "link.max_gbps", max(float(s) for s in speeds)
    for name, supported, enabled in HDPARM_FEATURES:
        found = re.search(rf"^\t   ([* ])\t{re.escape(name)}$", text, re.M)
        if found and supported:
            yield supported, True
        if found and enabled:
            yield enabled, found[1] == "*"
    yield from hdparm_security(text)


TOOLS = {"sg_inq": sg_inq, "sg_readcap": sg_readcap, "sg_vpd": sg_vpd, "sg_logs": sg_logs,
         "sdparm": sdparm, "hdparm": hdparm}
