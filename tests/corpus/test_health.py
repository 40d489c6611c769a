#!/usr/bin/python3
"""The health of real drives, held against what their reports say.

usage: test_health.py ASSAY [-v]        Prints TAP. ASSAY_CORPUS is the folder.

Each report is made into a drive by the corpus' own tool and checked. Printed is a table of
assay's verdicts against the report's own. A verdict is an error where
  - the drive says that it is failing, and assay does not say failing,
  - an attribute is failing now or 100 % of the life is used, and assay says ok,
  - the report calls the drive good, and assay says warning or failing for something that does
    not stand in the report as a line of its own with that very number,
unless health_explained.tsv says why. -v lists each drive with its verdict and reasons.
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
# Lines of a report that say the same as a rule: a pattern of the line, and whether the number in
# the rule's reason must stand in it.
EVIDENCE = {
    "uncorrected": (r"uncorrect|_uecc_|errors_corrected|^(read|write|verify): ", True),
    "pending": (r"pending", True),
    "reallocated": (r"realloc|retired|bad_block|grown_fail", True),
    "grown-defects": (r"grown defect|grown_defect", True),
    "crc": (r"crc", True),
    "temperature-limit": (r"temperature|airflow", True),
    "selftest-failed": (r"^# ?1 .*failure|self.test.*(failed|failure)", False),
    "selftest-failed-past": (r"^# ?\d+ .*failure|self.test.*(failed|failure)", False),
    "wear-used": (r"lifetime|life|wear|media_wearout|percentage used", False),
}
REPORTED = ("failing", "attribute", "worn", "past", "passed", "untold")
VERDICTS = ("failing", "warning", "ok", "unknown")
sys.path.insert(0, os.path.join(CORPUS, "tools"))


# ---- What a report says itself ----

def used_percent(facts, text):
    """The life used, where a standard page says it."""
    statistics = facts.get("statistics") or {}
    for page, (_, entries) in statistics.items():
        for entry in entries:
            if (page, entry[0]) == (7, 8) and entry[3] & 0x40:
                return entry[2]
    found = re.search(r'(?:Percentage used endurance indicator: *|"scsi_percentage_used_endurance_'
                      r'indicator": *)(\d+)', text)
    return int(found[1]) if found else None


def assessment(text, is_json):
    """passed, failed, warning, or None."""
    if is_json:
        status = json.loads(text).get("smart_status", {})
        if "passed" not in status:
            return None
        asc = status.get("scsi", {}).get("asc")
        return "passed" if status["passed"] else "warning" if asc == 0x0b else "failed"
    found = re.search(r"(?:self-assessment test result|SMART Health Status): *(.*)", text)
    if not found:
        return None
    word = found[1].strip()
    if word.startswith(("PASSED", "OK")):
        return "passed"
    if "[asc=b" in word or "[asc=0xb" in word:
        return "warning"
    return "failed" if word.startswith("FAILED") or "[asc=5d" in word else None


def attribute_states(text, is_json):
    """When attributes failed: now or past, of such that predict a failure."""
    states = set()
    if is_json:
        for row in json.loads(text).get("ata_smart_attributes", {}).get("table", []):
            states.add(row.get("when_failed") or "")
        return states
    for line in text.splitlines():
        if re.match(r" *\d+ \S+ +(0x[0-9a-f]{4}|[-POSRCK+]{6,7}) +", line):
            found = re.search(r"\s(FAILING_NOW|In_the_past|NOW|Past)\s", line)
            states.add(found[1] if found else "")
    return states


def reported(facts, text, is_json):
    own = assessment(text, is_json)
    states = attribute_states(text, is_json)
    used = used_percent(facts, text)
    if own == "failed":
        return "failing"
    if states & {"now", "NOW", "FAILING_NOW"}:
        return "attribute"
    if used is not None and used >= 100:
        return "worn"
    if own == "warning" or states & {"past", "Past", "In_the_past"}:
        return "past"
    return "passed" if own == "passed" else "untold"


def lines_of(text, is_json):
    """The report line by line; of JSON, one for each entry that has a name."""
    if not is_json:
        return text.splitlines()
    lines = []

    def walk(name, value):
        if isinstance(value, dict):
            if "name" in value and ("raw" in value or "value" in value):
                raw = value.get("raw", {}).get("string", "")
                lines.append(f"{value['name']} {value.get('value')} {raw}")
            for key, inner in value.items():
                walk(f"{name} {key}", inner)
        elif isinstance(value, list):
            for inner in value:
                walk(name, inner)
        else:
            lines.append(f"{name} {value}")

    walk("", json.loads(text))
    return lines


def stands_in(lines, rule, reason):
    """The report has a line that says the same as the rule."""
    pattern, with_number = EVIDENCE.get(rule, (None, False))
    number = re.search(r"[\d,]+", reason.split(":", 1)[-1])
    if not pattern or (with_number and not number):
        return False
    digits = number[0].replace(",", "") if number else ""
    return any(re.search(pattern, line, re.I) and
               (not with_number or re.search(rf"(?<!\d){digits}(?!\d)", line.replace(",", "")))
               for line in lines)


# ---- What assay says ----

def ata_cdb(command, feature, count, lba, extended, protocol=4):
    b = lba.to_bytes(6, "little")
    return [0x85, protocol << 1 | extended, 0x0e if protocol == 4 else 0x20, 0, feature,
            count >> 8, count & 255, b[3], b[0], b[4], b[1], b[5], b[2], 0x40, command, 0]


def cdb_of(name, length):
    """The command that fetches what a file of a drive's folder holds; None: not known."""
    part = name.split("-")
    if name == "ata-ec":
        return ata_cdb(0xec, 0, 1, 0, 0)
    if name in ("ata-b0-d0", "ata-b0-d1"):
        return ata_cdb(0xb0, int(part[2], 16), 1, 0xc24f00, 0)
    if name.startswith("ata-b0-d5-"):
        return ata_cdb(0xb0, 0xd5, length // 512, 0xc24f00 | int(part[3], 16), 0)
    if name.startswith("ata-2f-"):
        page = int(part[3], 16)
        return ata_cdb(0x2f, 0, length // 512,
                       int(part[2], 16) | (page & 255) << 8 | page >> 8 << 32, 1)
    if name == "inquiry":
        return [0x12, 0, 0, 0, 96, 0]
    if name.startswith("vpd-"):
        return [0x12, 1, int(part[1], 16), length >> 8 & 255, length & 255, 0]
    if name == "defects":
        return [0x37, 0, 0x0d, 0, 0, 0, 0, length >> 8 & 255, length & 255, 0]
    if name.startswith("log-"):
        sub = int(part[2], 16) if len(part) > 2 else 0
        return [0x4d, 0, 0x40 | int(part[1], 16), sub, 0, 0, 0, length >> 8 & 255, length & 255, 0]
    return None


def status_of(folder, own):
    """SMART RETURN STATUS, where the report tells of it: the registers in the sense data."""
    if own not in ("passed", "failed") or not os.path.exists(f"{folder}/ata-ec"):
        return []
    middle, high = (0xf4, 0x2c) if own == "failed" else (0x4f, 0xc2)
    sense = [0x72, 1, 0, 0x1d, 0, 0, 0, 0x0e, 9, 0x0c, *[0] * 7, middle, 0, high, 0, 0x50]
    cdb = ata_cdb(0xb0, 0xda, 0, 0xc24f00, 0, protocol=3)
    return ["cdb " + " ".join(f"{byte:02x}" for byte in cdb),
            "sense " + " ".join(f"{byte:02x}" for byte in sense)]


def capture_of(folder, own):
    """A drive's folder as a capture."""
    lines = ["assay-capture 1"] + status_of(folder, own)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            data = file.read()
        cdb = cdb_of(name, len(data))
        if cdb and data:
            lines += ["cdb " + " ".join(f"{byte:02x}" for byte in cdb), "data"]
            lines += [data[i:i + 32].hex(" ") for i in range(0, len(data), 32)]
    path = folder.rstrip("/") + ".capture"
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    return path


def check(paths):
    """The documents of these files."""
    documents = []
    for i in range(0, len(paths), 40):
        result = subprocess.run([ASSAY, "check", "-j", *paths[i:i + 40]], capture_output=True,
                                timeout=300, check=False)
        shown = json.loads(result.stdout)
        documents += shown if isinstance(shown, list) else [shown]
    return {document["device"]["target"]: document for document in documents}


# ---- Both ----

def explanations():
    with open(os.path.join(HERE, "health_explained.tsv"), encoding="utf-8", newline="") as file:
        return list(csv.reader((line for line in file if not line.startswith("#")),
                               delimiter="\t"))


def complaint(said, verdict, broken):
    """What is wrong with a verdict, and the rules that are to be explained."""
    if said == "failing" and verdict != "failing":
        return "the drive says that it is failing", ["self-assessment"]
    if said in ("attribute", "worn") and verdict not in ("warning", "failing"):
        return f"{said} in the report", [said]
    if said == "past" and verdict not in ("warning", "failing"):
        return "a warning in the report", [said]
    if said in ("passed", "untold") and verdict in ("warning", "failing"):
        return "nothing but good in the report", broken
    return None, []


def print_table(table):
    print("# " + " " * 12 + "".join(f"{verdict:>9}" for verdict in VERDICTS))
    for said in REPORTED:
        print(f"# {said:12}" + "".join(f"{table[said, verdict]:9}" for verdict in VERDICTS))


def read_report(path):
    import report_facts
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    facts = report_facts.read_report(path) or {}
    is_json = path.endswith(".json")
    return reported(facts, text, is_json), assessment(text, is_json), lines_of(text, is_json)


def main():
    if not os.path.exists(os.path.join(CORPUS, "tools", "report2drive.py")):
        print("ok 1 - health of real drives # SKIP the corpus is not beside the repository")
        return
    paths = sorted(glob.glob(f"{CORPUS}/smartctl-json/*.json") +
                   glob.glob(f"{CORPUS}/smartctl-text/*.txt"))
    reports = {}
    for path in paths:
        try:
            reports[os.path.splitext(os.path.basename(path))[0]] = read_report(path)
        except ValueError: # fixtures of broken JSON
            continue
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(CORPUS, "tools", "report2drive.py"),
                        "--outdir", folder, *paths], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        captures = {name: capture_of(f"{folder}/{name}", own)
                    for name, (_, own, _) in reports.items() if os.path.isdir(f"{folder}/{name}")}
        documents = check(list(captures.values()))
        judge({name: (reports[name][0], reports[name][2], documents[path])
               for name, path in captures.items()})


def judge(drives):
    rows, table = explanations(), collections.Counter()
    wrong, used = [], collections.Counter()
    for name, (said, lines, document) in sorted(drives.items()):
        verdict = document["verdicts"][0]["state"]
        broken = {one["id"]: one["reason"] for one in document["verdicts"][1:]
                  if one["state"] in ("warning", "failing")}
        table[said, verdict] += 1
        if VERBOSE:
            print(f"# {name}: {said}, {verdict}: {broken}")
        why, rules = complaint(said, verdict, list(broken))
        for rule in rules:
            if stands_in(lines, rule, broken.get(rule, "")):
                used[rule, "a line of the report has the same number, and no opinion of it"] += 1
                continue
            reason = next((row[2] for row in rows
                           if fnmatch.fnmatchcase(name, row[0]) and row[1] == rule), None)
            if reason:
                used[rule, reason] += 1
            else:
                wrong.append(f"{name}: {why}; {verdict}: {rule} {broken.get(rule, '')}")
    print_table(table)
    for (rule, reason), count in sorted(used.items()):
        print(f"# {count} explained: {rule}: {reason}")
    for problem in wrong[:200]:
        print(f"# {problem}")
    print(f"{'not ok' if wrong else 'ok'} 1 - the health of {len(drives)} real drives agrees with "
          f"their reports, or it is known why not")


main()
