#!/usr/bin/python3
"""Validates every datasheet against docs/assay-spec.schema.json. Prints TAP."""
import glob
import json
import os

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BAD = [
    {"schema": "assay-spec/1", "vendor": "V", "family": "F", "colour": "red"},
    {"schema": "assay-spec/1", "vendor": "V", "family": "F", "claims": {"link.speed": 6}},
    {"schema": "assay-spec/1", "vendor": "V", "family": "F", "models": [{"capacity": "1 GB"}]},
    {"schema": "assay-spec/1", "vendor": "V"},
]


def main():
    with open(os.path.join(ROOT, "docs/assay-spec.schema.json"), encoding="utf-8") as f:
        validator = jsonschema.Draft202012Validator(json.load(f))
    files = sorted(
        glob.glob(os.path.join(ROOT, "data/specs/*/*.json"))
        + glob.glob(os.path.join(ROOT, "tests/spec/slips/*.json"))
    )
    wrong = 0
    for path in files:
        with open(path, encoding="utf-8") as f:
            errors = list(validator.iter_errors(json.load(f)))
        wrong += bool(errors)
        for error in errors[:3]:
            print(f"# {path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    print(f"# {len(files)} datasheets, {wrong} wrong")
    print(f"{'not ok' if wrong or len(files) < 150 else 'ok'} 1 - every datasheet is as the JSON Schema says")
    passed = sum(validator.is_valid(sheet) for sheet in BAD)
    print(f"{'not ok' if passed else 'ok'} 2 - the JSON Schema refuses bad datasheets")


if __name__ == "__main__":
    main()
