#!/usr/bin/python3
"""Time and memory of `assay show` of a capture, paired with libatasmart's skdump on the same sectors.

usage: bench_show.py ASSAY
"""
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAIRS = 41
LIMIT_MS, LIMIT_KIB = 10.0, 8192


def records(path):
    """The data of each record of a capture, by the ATA command and feature of its CDB."""
    found, cdb, data = {}, None, None
    with open(path, encoding="utf-8") as f:
        lines = [line.split("#")[0].split() for line in f]
    for words in lines + [["cdb"]]:
        if words[:1] == ["cdb"]:
            if cdb and data is not None and cdb[0] == 0x85:
                found.setdefault((cdb[14], cdb[4]), bytes(data))
            cdb, data = [int(w, 16) for w in words[1:]], None
        elif words[:1] == ["data"]:
            data = [int(w, 16) for w in words[1:]]
        elif data is not None and words and all(len(w) <= 2 for w in words):
            data += [int(w, 16) for w in words]
    return found


def blob(path, out):
    """The same drive as libatasmart takes it: tag, big-endian length, payload."""
    found = records(path)
    parts = ((b"IDFY", found[0xEC, 0]), (b"SMST", struct.pack(">I", 1)),
             (b"SMDT", found[0xB0, 0xD0]), (b"SMTH", found[0xB0, 0xD1]))
    with open(out, "wb") as f:
        for tag, payload in parts:
            f.write(tag + struct.pack(">I", len(payload)) + payload)


def run(argv):
    started = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - started) * 1e3


def resident(argv):
    """Peak KiB. A child of this interpreter would inherit its peak; a child of time(1) does not."""
    out = subprocess.run(["/usr/bin/time", "-f", "%M"] + argv, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True, check=False)
    return int(out.stderr.split()[-1])


def main(assay):
    missed = False
    print(f"{'assay show':44} {'ms':>7} {'KiB':>7}   {'skdump: ms':>10} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as work:
        for name in sorted(os.listdir(os.path.join(ROOT, "data/drives"))):
            if not name.endswith("-healthy.capture"):
                continue
            path = os.path.join(ROOT, "data/drives", name)
            peer = None
            if (0xEC, 0) in records(path):
                blob(path, work + "/blob")
                peer = ["skdump", "--load=" + work + "/blob"]
            ours, theirs = [], []
            for _ in range(PAIRS):
                ours.append(run([assay, "show", path]))
                if peer:
                    theirs.append(run(peer))
            ms = statistics.median(ours)
            kib = resident([assay, "show", path])
            rest = ""
            if peer:
                ratio = statistics.median(a / b for a, b in zip(ours, theirs))
                rest = f"{statistics.median(theirs):10.2f} {ratio:6.2f}"
            print(f"{name:44} {ms:7.2f} {kib:7d}   {rest}")
            missed |= ms > LIMIT_MS or kib > LIMIT_KIB
    print(f"wanted: at most {LIMIT_MS:.0f} ms and {LIMIT_KIB} KiB: {'MISSED' if missed else 'kept'}")
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
