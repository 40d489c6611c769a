#!/usr/bin/python3
"""Holds the brought-along drives' documents against data/drives/expected.tsv. Prints TAP.

usage: expected.py ASSAY FIRST-NUMBER
Each row of the table is a file, a key, and the value that it must have.
"""
import collections
import json
import os
import subprocess
import sys

DRIVES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                      "data/drives")


def same(found, wanted):
    if isinstance(found, bool):
        return wanted == str(found).lower()
    if isinstance(found, (int, float)):
        return abs(found - float(wanted)) <= 1e-3 * abs(float(wanted))
    return str(found) == wanted


def main(assay, first):
    wanted = collections.defaultdict(list)
    with open(os.path.join(DRIVES, "expected.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith(("#", "file\t")):
                name, key, value = line.rstrip("\n").split("\t")[:3]
                wanted[name].append((key, value))
    number = int(first)
    for name, rows in sorted(wanted.items()):
        run = subprocess.run([assay, "show", "-j", os.path.join(DRIVES, name)], capture_output=True,
                             text=True, check=False)
        facts = json.loads(run.stdout)["facts"]
        wrong = 0
        for key, value in rows:
            found = facts.get(key, {}).get("value")
            if not same(found, value):
                wrong += 1
                print(f"# {name}: {key} is {found!r}, not {value}")
        print(f"{'not ok' if wrong else 'ok'} {number} - {name} has the {len(rows)} values that it was made with")
        number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
