#!/usr/bin/python3
"""Real drives' reports against their datasheets: what is flagged was looked at by hand.

usage: test_verify.py ASSAY [-v]        Prints TAP. ASSAY_CORPUS is the folder. -v lists all flags.

The corpus' own tool makes each report into a drive; assay verifies it. verify_flags.tsv has each
verdict that is "fail", "marginal" or "conflict", and why it is right to say so of that drive. One
that is not there is an error, and so is one that is there but no longer said.
"""
import collections
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile

ASSAY = sys.argv[1]
VERBOSE = "-v" in sys.argv[2:]
CORPUS = os.environ.get("ASSAY_CORPUS", "../shared/corpus")
HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ("fail", "marginal", "conflict")
BATCH = 40
# What the corpus' tool invents where a report does not tell it, and the verdict that then says nothing.
INVENTED = {"write cache enabled": "power_loss.write_cache", "physical block size": "capacity.physical_block_bytes"}


def ata_cdb(command, feature, count, lba):
    octets = lba.to_bytes(6, "little")
    extended = command == 0x2f
    return [0x85, 4 << 1 | extended, 0x0e, 0, feature, count >> 8, count & 255, octets[3], octets[0],
            octets[4], octets[1], octets[5], octets[2], 0x40, command, 0]


def cdb_of(name, length):
    """The command that fetches what a file of a drive's folder holds; None: not asked here."""
    part = name.split("-")
    number = [int(text, 16) for text in part[1:] if all(letter in "0123456789abcdef" for letter in text)]
    most = [length >> 8, length & 255]
    if name == "inquiry":
        return [0x12, 0, 0, *most, 0]
    if part[0] == "vpd":
        return [0x12, 1, number[0], *most, 0]
    if part[0] == "log":
        return [0x4d, 0, 0x40 | number[0], number[1], 0, 0, 0, *most, 0]
    if part[0] == "mode" and len(number) == 2:
        return [0x5a, 0, number[0], number[1], 0, 0, 0, *most, 0]
    if name == "ata-ec":
        return ata_cdb(0xec, 0, 1, 0)
    if name in ("ata-b0-d0", "ata-b0-d1"):
        return ata_cdb(0xb0, number[1], 1, 0xc24f00)
    if name.startswith("ata-b0-d5-"):
        return ata_cdb(0xb0, 0xd5, length // 512, 0xc24f00 | number[2])
    if name.startswith("ata-2f-"):
        return ata_cdb(0x2f, 0, length // 512, number[1] | (number[2] & 255) << 8 | number[2] >> 8 << 32)
    return None


def mode_parameters(page):
    """A mode page behind the header that MODE SENSE(10) puts before it."""
    return (len(page) + 6).to_bytes(2, "big") + bytes(6) + page


def read_capacity(folder):
    with open(f"{folder}/lab.args", encoding="ascii") as file:
        options = dict(word.split("=") for word in file.read().split())
    if "blocks" not in options:
        return None
    return (int(options["blocks"]) - 1).to_bytes(8, "big") + int(options.get("bs", 512)).to_bytes(4, "big") + \
        bytes((0, int(options.get("pbe", 0)))) + bytes(18)


def capture_of(folder):
    """A drive's folder as a capture."""
    records = []
    for name in sorted(os.listdir(folder)):
        with open(f"{folder}/{name}", "rb") as file:
            data = file.read()
        if name.startswith("mode-"):
            data = mode_parameters(data)
        cdb = cdb_of(name, len(data))
        if cdb:
            records.append((cdb, data))
    if read_capacity(folder):
        records.append(([0x9e, 0x10] + [0] * 11 + [32, 0, 0], read_capacity(folder)))
    lines = ["assay-capture 1"]
    for cdb, data in records:
        lines += ["cdb " + " ".join(f"{byte:02x}" for byte in cdb), "data"]
        lines += [data[i:i + 32].hex(" ") for i in range(0, len(data), 32)]
    path = folder.rstrip("/") + ".capture"
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    return path


def build(folder):
    reports = sorted(glob.glob(f"{CORPUS}/smartctl-json/*.json") + glob.glob(f"{CORPUS}/smartctl-text/*.txt"))
    subprocess.run([sys.executable, f"{CORPUS}/tools/report2drive.py", "--outdir", folder, *reports],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {os.path.basename(drive): (capture_of(drive), invented(drive))
            for drive in sorted(glob.glob(f"{folder}/*")) if os.path.exists(f"{drive}/inquiry")}


def invented(folder):
    """The verdicts that rest on what the report does not tell."""
    with open(f"{folder}/invented.tsv", encoding="utf-8") as file:
        return {INVENTED[line.split("\t")[0]] for line in file if line.split("\t")[0] in INVENTED}


def verify(paths):
    documents = []
    for i in range(0, len(paths), BATCH):
        result = subprocess.run([ASSAY, "verify", "-j", "-q", *paths[i:i + BATCH]], capture_output=True,
                                timeout=300, check=False)
        shown = json.loads(result.stdout)
        documents += shown if isinstance(shown, list) else [shown]
    return documents


def has_sheet(document):
    return any(str(note.get("text", note) if isinstance(note, dict) else note).startswith("datasheet: ")
               for note in document["notes"])


number = 0


def tell(problems, name):
    global number
    number += 1
    for problem in problems[:40]:
        print(f"# {problem}")
    print(f"{'not ok' if problems else 'ok'} {number} - {name}")


def main():
    if not os.path.exists(f"{CORPUS}/tools/report2drive.py"):
        print("ok 1 - real drives against their datasheets # SKIP the corpus is not beside the repository")
        return
    with open(f"{HERE}/verify_flags.tsv", encoding="utf-8", newline="") as file:
        rows = csv.reader((line for line in file if not line.startswith("#")), delimiter="\t")
        known = {(row[0], row[1], row[2]): row[3] for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        drives = build(folder)
        documents = verify([path for path, _ in drives.values()])
    said, verdicts, sheets = {}, collections.Counter(), 0
    for name, document in zip(drives, documents):
        if not has_sheet(document):
            continue
        sheets += 1
        told = [verdict for verdict in document["verdicts"] if verdict["id"] not in drives[name][1]]
        verdicts.update(verdict["state"] for verdict in told)
        for verdict in told:
            if verdict["state"] in FLAGS:
                said[name, verdict["id"], verdict["state"]] = verdict
    for flag, verdict in said.items():
        if VERBOSE or flag not in known:
            print("# " + "\t".join(flag), verdict.get("expected"), verdict.get("found"), verdict["reason"], sep=" | ")
    counts = ", ".join(f"{count} {state}" for state, count in sorted(verdicts.items()))
    print(f"# {len(drives)} reports, {sheets} with a datasheet: {counts}")
    tell([] if sheets > 60 else [f"{sheets}"], f"{sheets} of {len(drives)} real drives have a datasheet")
    tell(["\t".join(flag) for flag in said if flag not in known],
         f"each of the {len(said)} flags of them was looked at")
    tell(["\t".join(flag) for flag in known if flag not in said], "each flag that is expected is still said")


main()
