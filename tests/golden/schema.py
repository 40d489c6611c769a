#!/usr/bin/python3
"""Validates documents against the JSON Schema that each names. Prints TAP.

usage: schema.py FIRST-NUMBER FILE...
"""
import json
import os
import sys

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def validator_of(document):
    """A document of no known schema is to be as that of a drive."""
    names = {"assay-history-1": "assay-history.schema.json"}
    name = names.get(document.get("schema"), "assay-document.schema.json")
    with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as f:
        return jsonschema.Draft202012Validator(json.load(f))


def main(first, files):
    for number, path in enumerate(files, int(first)):
        with open(path, encoding="utf-8") as f:
            document = json.load(f)
        errors = list(validator_of(document).iter_errors(document))
        for error in errors[:10]:
            print(f"# {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
        word = "not ok" if errors else "ok"
        print(f"{word} {number} - {os.path.basename(path)} is as its JSON Schema says")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
