#!/usr/bin/env -S python3 -B
"""Compares what assay and other programs said of the same drives in the same moment.

usage: compare.py FOLDER     a folder for each drive, with assay.json and the others' output

Prints TAP, and a table of how many values were compared. Differences are errors unless
explained.tsv says why; a claim that assay does not make at all is a difference, too.
"""
import json
import os
import sys

import smartctl_json
import text_tools
from tally import Document, Tally

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 300


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def claims_of(folder, document):
    """(tool, key, value) of all tools that said something."""
    text = read(os.path.join(folder, "smartctl.json"))
    if text:
        for key, value in smartctl_json.claims(json.loads(text)):
            yield "smartctl", key, value
    for tool, claims in text_tools.TOOLS.items():
        if tool == "hdparm" and document.fact("identity.protocol") != "ata":
            continue  # it makes an IDENTIFY of its own up from what SCSI says
        for key, value in claims(read(os.path.join(folder, tool))):
            yield tool, key, value


def main(folder):
    tally = Tally(os.path.join(HERE, "explained.tsv"))
    for drive in sorted(os.listdir(folder)):
        document = Document(os.path.join(folder, drive, "assay.json"))
        name = f"{document.fact('identity.protocol')}:{drive}"
        for tool, key, value in claims_of(os.path.join(folder, drive), document):
            tally.claim(tool, name, key, value, document)
    tally.print_table()
    tally.print_reasons()
    compared = tally.total("equal", "explained", "unexplained")
    many = "ok" if compared >= LEAST else "not ok"
    print(f"{many} - {LEAST} values or more were compared with other programs")
    right = "not ok" if tally.unexplained else "ok"
    print(f"{right} - no value differs from other programs without a reason")
    tally.print_unexplained()
    return 1 if tally.unexplained or compared < LEAST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
