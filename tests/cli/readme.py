#!/usr/bin/python3
"""Runs the examples of README.md and holds their output against what stands there: "..." alone on a
line is anything.

usage: readme.py ASSAY
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def examples(text):
    """(command, lines of output) of each block that begins with a prompt."""
    for block in re.findall(r"^```\n(\$ .*?)^```$", text, re.M | re.S):
        first, *rest = block.splitlines()
        yield first[2:], rest


def matches(want, got):
    pattern = "".join(".*" if line == "..." else re.escape(line + "\n") for line in want)
    return re.fullmatch(pattern, got, re.S) is not None


def main(assay):
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        found = list(examples(file.read()))
    failed = not found
    for command, want in found:
        words = command.replace("assay ", os.path.abspath(assay) + " ", 1)
        got = subprocess.run(["sh", "-c", words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout
        if not matches(want, got):
            failed = True
            print(f"README.md: not so: $ {command}\n{got}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
