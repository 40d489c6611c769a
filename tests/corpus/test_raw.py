#!/usr/bin/python3
"""Every raw file of the corpus is shown, or refused in one line; and what is
shown of ATA drives is held against a reading of the same bytes done here.

usage: test_raw.py ASSAY        Prints TAP. ASSAY_CORPUS is the folder.
"""

import csv
import json
import os
import struct
import subprocess
import sys

ASSAY = sys.argv[1]
CORPUS = os.environ.get("ASSAY_CORPUS", "../shared/corpus")
STATUSES = {0, 1, 2, 3, 64, 65, 66, 70, 75, 77}
SANITIZERS = ("AddressSanitizer", "runtime error:", "LeakSanitizer", "UndefinedBehavior")
number = 0


def tell(problems, name):
    """One line of TAP, with what is wrong above it."""
    global number
    number += 1
    for problem in problems:
        print(f"# {problem}")
    print(f"{'not ok' if problems else 'ok'} {number} - {name}")


def kind_of(name, kind):
    """What a file that does not say it itself is said to be: None to say nothing."""
    if kind == "ata-sector-partial":
        return "thresholds" if ".thresh." in name else "smart"
    said = {"sg3_readcap_zbc.hex": "readcap16", "sdp_io_hints.hex": "mode"}
    return said.get(os.path.basename(name))


def show(*arguments):
    return subprocess.run([ASSAY, "show", *arguments], capture_output=True, timeout=300,
                          env={**os.environ, "ASSAY_DRIVEDB": "/dev/null"}, check=False)


def complaints(result, what, refused):
    """What is wrong with how it ended, of so many files that it had to refuse."""
    errors = result.stderr.decode(errors="replace")
    problems = []
    if result.returncode not in STATUSES:
        problems.append(f"{what}: ended with {result.returncode}")
    if any(word in errors for word in SANITIZERS):
        problems.append(f"{what}: {errors.splitlines()[:3]}")
    lines = len(errors.splitlines())
    if lines != refused or (result.returncode != 0) != (refused != 0):
        problems.append(f"{what}: status {result.returncode} with {lines} lines of errors")
    return problems


def document_of(result, problems):
    try:
        return json.loads(result.stdout)
    except ValueError as error:
        problems.append(f"not JSON: {error}")
        return None


def sections_of(path):
    """The ATA sectors of a libatasmart blob or of a file that is one sector."""
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".hex"):
        text = "\n".join(line.split("#")[0] for line in data.decode().splitlines())
        data = bytes(int(word, 16) for word in text.split())
    name = os.path.basename(path)
    for word, tag in (".identify.", "IDFY"), (".smart.", "SMDT"), (".thresh.", "SMTH"):
        if word in name:
            return {tag: data}
    sections = {}
    while len(data) >= 8:
        tag, size = data[:4].decode(), struct.unpack(">I", data[4:8])[0]
        sections[tag] = data[8:8 + size]
        data = data[8 + size:]
    return sections


def threshold_of(thresholds, slot, identifier):
    """Of the same slot where that has the id; else of the first slot that has it."""
    slots = [slot] + list(range(30))
    for at in (2 + 12 * n for n in slots):
        if at + 12 <= len(thresholds) and thresholds[at] == identifier:
            return thresholds[at + 1]
    return None


def attributes_of(sections):
    data, rows = sections.get("SMDT", b""), []
    for slot in range(30):
        entry = data[2 + 12 * slot:14 + 12 * slot]
        if len(entry) == 12 and entry[0]:
            rows.append({
                "id": entry[0],
                "flags": struct.unpack("<H", entry[1:3])[0],
                "value": entry[3],
                "worst": entry[4],
                "threshold": threshold_of(sections.get("SMTH", b""), slot, entry[0]),
                "raw": int.from_bytes(entry[5:11], "little"),
            })
    return rows


def ata_text(sector, first, words):
    field = sector[2 * first:2 * (first + words)]
    swapped = bytes(b for i in range(0, len(field), 2) for b in (field[i + 1], field[i]))
    return swapped.replace(b"\0", b" ").decode("ascii", "replace").strip()


def compare(document, sections, problems):
    """Holds the document against what stands in the sectors."""
    want = attributes_of(sections)
    rows = document["tables"].get("ata_attributes", [])
    got = [{key: row[key] for key in want[0]} for row in rows] if want else rows
    for a, b in zip(want, got):
        if a != b:
            problems.append(f"attribute {a} is shown as {b}")
    if len(want) != len(got):
        problems.append(f"{len(got)} attributes instead of {len(want)}")
    facts = document["facts"]
    for key, first, words in ("identity.firmware", 23, 4), ("identity.model", 27, 20):
        text = ata_text(sections.get("IDFY", b""), first, words)
        shown = facts.get(key, {}).get("value")
        if text and (not shown or (key.endswith("firmware") and shown != text) or
                     shown.split()[-1] != text.split()[-1]):
            problems.append(f"{key} is {shown!r} instead of {text!r}")
    if "SMST" in sections:
        passed = "passed" if any(sections["SMST"]) else "failed"
        shown = facts.get("health.self_assessment", {}).get("value")
        if shown != passed:
            problems.append(f"self-assessment is {shown} instead of {passed}")


def check(path, name, kind):
    """True where it is shown."""
    said = kind_of(name, kind)
    result = show("-j", *(["--as", said] if said else []), path)
    problems = complaints(result, "JSON", result.returncode != 0)
    document = document_of(result, problems)
    if result.returncode and kind not in ("scsi-hex", "scsi-fuzz"):
        problems.append(f"refused: {result.stderr.decode().strip()}")
    if not problems and kind in ("libatasmart-blob", "ata-sector", "ata-sector-partial"):
        compare(document, sections_of(path), problems)
    tell(problems, name)
    return result.returncode == 0


def check_text(said, paths, refused):
    """The same files for people, in one go."""
    result = show("-v", *(["--as", said] if said else []), *paths)
    problems = complaints(result, "text", refused)
    missing = [path for path in paths if os.path.basename(path).encode() not in result.stdout]
    problems += [f"{path}: not shown" for path in missing]
    tell(problems, f"text of {len(paths)} files, as {said or 'they say themselves'}")


def main():
    index = os.path.join(CORPUS, "INDEX.tsv")
    if not os.path.exists(index):
        print("ok 1 - the raw corpus # SKIP it is not beside the repository")
        return
    groups, shown = {}, 0
    with open(index, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                if row["file"].startswith("raw/")]
    for row in rows:
        path = os.path.join(CORPUS, row["file"])
        good = check(path, row["file"], row["kind"])
        shown += good
        groups.setdefault(kind_of(row["file"], row["kind"]), []).append((path, good))
    for said, files in groups.items():
        check_text(said, [path for path, _ in files], sum(not good for _, good in files))
    tell([] if rows and shown * 10 >= len(rows) * 9 else [f"{shown} of {len(rows)}"],
         "nine of ten files are shown")


main()
