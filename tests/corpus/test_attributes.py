#!/usr/bin/python3
"""Attributes and endurance of real drives, held against what their reports say.

usage: test_attributes.py ASSAY [-v]        Prints TAP. ASSAY_CORPUS is the folder.

Each ATA report is made into a drive twice, by the corpus' own tools: as the
sectors of SMART data and thresholds alone, and as all responses that the report
tells of. assay reads them as any file. What differs is an error unless
exceptions.tsv says why. -v lists the drives of which it is not known what was written.
"""

import collections
import csv
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ASSAY = sys.argv[1]
VERBOSE = "-v" in sys.argv[2:]
CORPUS = os.environ.get("ASSAY_CORPUS", "../shared/corpus")
HERE = os.path.dirname(os.path.abspath(__file__))
DATABASES = ("/var/lib/smartmontools/drivedb/drivedb.h", "/usr/share/smartmontools/drivedb.h")
GENERAL, SOLID_STATE = 1, 7  # pages of the device statistics
# Names of counters of what the host wrote, and those of which the name has the unit.
WRITTEN = re.compile(r"host_?(sector_)?writ|lbas?_written|(total|lifetime|host)_writes|wts_frm|"
                     r"write_sectors|device_sectors_written", re.I)
UNITS = (("32MiB", 32 << 20), ("GiB", 1 << 30), ("MiB", 1 << 20))
FAILING = {"-": None, "": None, "NOW": "now", "FAILING_NOW": "now", "now": "now",
           "Past": "past", "past": "past", "In_the_past": "past"}
sys.path.insert(0, os.path.join(CORPUS, "tools"))


class Report:
    """What one report says: rows of attributes with their names, and statistics."""

    def __init__(self, path):
        import report_facts
        import text2raw
        self.name = os.path.splitext(os.path.basename(path))[0]
        facts = report_facts.read_report(path) or {}
        self.ata = facts.get("kind") == "ATA"
        if not self.ata:
            return
        self.solid = facts.get("rotation") == 1
        self.sector_bytes = facts.get("lbs") or 512
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        read = text2raw.parse_json if path.endswith(".json") else text2raw.parse_text
        self.rows = {"drive": facts["raw"].attrs, "sectors": read(text).attrs}
        rows = json_rows(text) if path.endswith(".json") else text_rows(text, text2raw)
        self.names = dict(reversed([(ident, name) for ident, name, _ in rows]))
        self.failing = [failing for _, _, failing in rows]
        self.statistics = {(page, entry[0]): entry[2]
                           for page, (_, entries) in (facts.get("statistics") or {}).items()
                           for entry in entries if entry[3] & 0x40}


def json_rows(text):
    table = json.loads(text).get("ata_smart_attributes", {}).get("table", [])
    return [(row["id"], row["name"], FAILING[row.get("when_failed") or ""]) for row in table]


def text_rows(text, text2raw):
    rows, inside, brief = [], False, False
    for line in text.splitlines():
        if line.lstrip().startswith("ID# ATTRIBUTE_NAME"):
            inside, brief = True, " FAIL " in line
        row = text2raw.ROW.match(line) if inside else None
        if row:
            rest = row[7].split(None, 1 if brief else 3)
            rows.append((int(row[1], 0), row[2], FAILING[rest[0 if brief else 2]]))
        elif rows and not line.strip():
            inside = False
    return rows


class Check:
    """Counts values that are equal, and keeps those that are not."""

    def __init__(self):
        self.counts = collections.Counter()
        self.wrong = []
        self.explained = collections.Counter()
        with open(os.path.join(HERE, "exceptions.tsv"), encoding="utf-8", newline="") as file:
            lines = (line for line in file if not line.startswith("#"))
            self.exceptions = list(csv.reader(lines, delimiter="\t"))

    def equal(self, report, what, want, got):
        """got may be a list: one of them must be equal."""
        self.counts[what] += 1
        if want in got if isinstance(got, list) else want == got:
            return
        for drive, key, reported, reason in self.exceptions:
            if fnmatch.fnmatchcase(report.name, drive) and key == what and \
                    fnmatch.fnmatchcase(str(want), reported):
                self.explained[reason] += 1
                return
        self.wrong.append(f"{report.name}: {what}: {want} is shown as {got}")


def compare_rows(check, report, way, document):
    shown = document["tables"].get("ata_attributes", [])
    want = report.rows[way][:30]
    check.equal(report, "number of attributes", len(want), len(shown))
    for row, got, failing in zip(want, shown, report.failing):
        check.equal(report, "id", row["id"], got["id"])
        for key, name in ("value", "value"), ("worst", "worst"), ("thresh", "threshold"):
            if row[key] is not None:
                check.equal(report, name, row[key], got[name])
        if row["flags_known"]:
            check.equal(report, "flags", row["flags"], got["flags"])
        check.equal(report, "failing", failing, got["failing"])
        for i, known in enumerate(row["raw"].known):
            if known:
                check.equal(report, "byte of raw", row["raw"].data[i], got["raw"] >> 8 * i & 255)


def sources(document, key, attribute=None):
    """The values of a fact that are known, the best first: of one attribute, or all."""
    fact = document["facts"].get(key)
    facts = [fact] + fact.get("others", []) if fact else []
    return [one["value"] for one in facts if one["state"] == "known" and
            (attribute is None or one["source"].get("attribute") == attribute)]


def first_number(text):
    found = re.match(r"-?\d+", text)
    return int(found[0]) if found else None


def compare_facts(check, report, way, document):
    for row in report.rows[way]:
        ident, text, number = row["id"], row["text"], first_number(row["text"])
        name = report.names.get(ident, "")
        if ident == 9:
            check.equal(report, "hours", number, sources(document, "usage.power_on_hours", 9))
        elif ident == 12:
            check.equal(report, "cycles", number,
                        sources(document, "usage.power_cycle_count", 12))
        elif ident in (190, 194) and "emperature" in name and number:
            check.equal(report, "temperature", number,
                        sources(document, "temperature.current_celsius", ident))
        span = re.match(r"-?\d+ \((?:Lifetime )?Min/Max (-?\d+)/(-?\d+)", text)
        lowest = sources(document, "temperature.lowest_celsius", ident)
        if ident == 194 and span and lowest:
            highest = sources(document, "temperature.highest_celsius", ident)
            check.equal(report, "range of temperature", f"{span[1]} to {span[2]}",
                        f"{lowest[0]} to {highest[0]}")
        if re.search(r"Lifetime_Remain|Life_Remaining", name) and row["value"] is not None:
            check.equal(report, "wear", 100 - row["value"],
                        sources(document, "endurance.used_percent"))
        if "Lifetime_Used" in name:
            check.equal(report, "wear", number, sources(document, "endurance.used_percent"))
        unit = next((size for word, size in UNITS if word in name), None)
        if unit and WRITTEN.search(name) and row["raw"].trusted:
            check.equal(report, "bytes written", int.from_bytes(row["raw"].data, "little") * unit,
                        sources(document, "endurance.host_written_bytes"))
    if way == "drive":
        compare_statistics(check, report, document)


def compare_statistics(check, report, document):
    wanted = (("hours", GENERAL, 16, "usage.power_on_hours", 1),
              ("bytes written", GENERAL, 24, "endurance.host_written_bytes", report.sector_bytes),
              ("wear", SOLID_STATE, 8, "endurance.used_percent", 1))
    for what, page, offset, key, unit in wanted:
        value = report.statistics.get((page, offset))
        if value is not None:
            check.equal(report, what, value * unit, sources(document, key))


def carries_counter(report, way):
    """Whether the report has any counter of what the host wrote."""
    rows = {row["id"] for row in report.rows[way]}
    return any(WRITTEN.search(name) for name in report.names.values()) or \
        bool(rows & {225, 241, 246}) or (way == "drive" and (GENERAL, 24) in report.statistics)


def show(paths):
    """The documents of these files."""
    documents = []
    for i in range(0, len(paths), 40):
        result = subprocess.run([ASSAY, "show", "-j", *paths[i:i + 40]], capture_output=True,
                                timeout=300, check=False)
        shown = json.loads(result.stdout)
        documents += shown if isinstance(shown, list) else [shown]
    return documents


def build(tool, folder, reports, *options):
    subprocess.run([sys.executable, os.path.join(CORPUS, "tools", tool), "--outdir", folder,
                    *options, *reports], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def ata_cdb(command, feature, count, lba, extended):
    b = lba.to_bytes(6, "little")
    return [0x85, 4 << 1 | extended, 0x0e, 0, feature, count >> 8, count & 255, b[3], b[0], b[4],
            b[1], b[5], b[2], 0x40, command, 0]


def cdb_of(name, length):
    """The command that fetches what a file of a drive's folder holds; None: not of ATA."""
    part = name.split("-")
    if name == "ata-ec":
        return ata_cdb(0xec, 0, 1, 0, 0)
    if name in ("ata-b0-d0", "ata-b0-d1"):
        return ata_cdb(0xb0, int(part[2], 16), 1, 0xc24f00, 0)
    if name.startswith("ata-2f-"):
        page = int(part[3], 16)
        return ata_cdb(0x2f, 0, length // 512,
                       int(part[2], 16) | (page & 255) << 8 | page >> 8 << 32, 1)
    return None


def capture_of(folder):
    """A drive's folder as a capture."""
    lines = ["assay-capture 1"]
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        cdb = cdb_of(name, len(data))
        if cdb:
            lines += ["cdb " + " ".join(f"{byte:02x}" for byte in cdb), "data"]
            lines += [data[i:i + 32].hex(" ") for i in range(0, len(data), 32)]
    path = folder.rstrip("/") + ".capture"
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    return path


def files_of(way, folder, paths):
    """{name of report: file}"""
    if way == "sectors":
        build("text2raw.py", folder, paths, "--blob", "--quiet")
        return {os.path.basename(path)[:-5]: path for path in glob.glob(f"{folder}/*.blob")}
    build("report2drive.py", folder, paths)
    return {os.path.basename(path): capture_of(path) for path in glob.glob(f"{folder}/*")
            if os.path.exists(f"{path}/ata-ec")}


number = 0


def tell(problems, name):
    global number
    number += 1
    for problem in problems[:40]:
        print(f"# {problem}")
    print(f"{'not ok' if problems else 'ok'} {number} - {name}")


def check_way(way, folder, paths, reports):
    files = files_of(way, folder, paths)
    chosen = [report for report in reports if report.name in files]
    documents = show([files[report.name] for report in chosen])
    check = Check()
    known, unknown = 0, []
    for report, document in zip(chosen, documents):
        compare_rows(check, report, way, document)
        compare_facts(check, report, way, document)
        if report.solid and carries_counter(report, way):
            written = document["facts"].get("endurance.host_written_bytes", {})
            known += written.get("state") == "known"
            if written.get("state") != "known":
                unknown.append(report.name)
    for what, count in sorted(check.counts.items()):
        print(f"# {way}: {what}: {count} compared")
    for reason, count in sorted(check.explained.items()):
        print(f"# {way}: {count} explained: {reason}")
    tell(check.wrong, f"{len(chosen)} reports as {way}: {sum(check.counts.values())} values "
                      f"compared, {sum(check.explained.values())} explained")
    tell_known(way, known, unknown)


def tell_known(way, known, unknown):
    total = known + len(unknown)
    name = f"{way}: bytes written known of {known} of {total} solid state drives with a counter"
    if VERBOSE:
        print("\n".join(f"# not known: {drive}" for drive in unknown))
    if not any(map(os.path.exists, DATABASES)):
        print(f"# {name}")
        global number
        number += 1
        print(f"ok {number} - {name} # SKIP smartmontools' drive database is not installed")
        return
    tell([] if known * 10 >= total * 9 > 0 else [f"less than 90 %: {known} of {total}"], name)


def main():
    if not os.path.exists(os.path.join(CORPUS, "tools", "text2raw.py")):
        print("ok 1 - attributes of real drives # SKIP the corpus is not beside the repository")
        return
    os.environ.pop("ASSAY_DRIVEDB", None)
    paths = sorted(glob.glob(f"{CORPUS}/smartctl-json/*.json") +
                   glob.glob(f"{CORPUS}/smartctl-text/*.txt"))
    reports = []
    for path in paths:
        try:
            reports.append(Report(path))
        except ValueError: # fixtures of broken JSON
            continue
    reports = [report for report in reports if report.ata]
    with tempfile.TemporaryDirectory() as folder:
        for way in "sectors", "drive":
            check_way(way, os.path.join(folder, way), paths, reports)


main()
