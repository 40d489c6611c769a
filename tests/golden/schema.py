#!/usr/bin/python3
"""Validates documents against docs/assay-document.schema.json. Prints TAP.

usage: schema.py FIRST-NUMBER FILE...
"""
import json
import os
import sys

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main(first, files):
    with open(os.path.join(ROOT, "docs/assay-document.schema.json"), encoding="utf-8") as f:
        validator = jsonschema.Draft202012Validator(json.load(f))
    for number, path in enumerate(files, int(first)):
        with open(path, encoding="utf-8") as f:
            errors = list(validator.iter_errors(json.load(f)))
        for error in errors[:10]:
            print(f"# {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        word = "not ok" if errors else "ok"
        print(f"{word} {number} - {os.path.basename(path)} is as its JSON Schema says")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
