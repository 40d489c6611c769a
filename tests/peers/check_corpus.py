#!/usr/bin/env -S python3 -B
"""Holds what assay says of many real drives' data against what their reports say.

usage: check_corpus.py ASSAY CORPUS [RESULTS]

CORPUS is a folder beside this repository with reports of real drives, tools that make a drive
for a virtual machine out of each, and the machine; without it the check is skipped. The drives
answer real SG_IO. RESULTS: documents of an earlier run, which are taken instead.

Prints TAP, and a table of how many values were compared, by topic. A value that differs, or
that assay does not have, is an error unless corpus_explained.tsv says why. Values that the
drive's builder made up (invented.tsv of each drive) are no claims.
"""
import glob
import os
import shutil
import subprocess
import sys

import corpus_claims
from tally import Document, Tally

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 30000


def skip(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def reports(corpus):
    return sorted(glob.glob(f"{corpus}/corpus/smartctl-json/*.json") +
                  glob.glob(f"{corpus}/corpus/smartctl-text/*.txt"))


def build_drives(corpus, folder):
    """Every report as a drive: a folder each."""
    shutil.rmtree(folder, ignore_errors=True)
    tool = f"{corpus}/corpus/tools/report2drive.py"
    subprocess.run([sys.executable, tool, "--outdir", folder] + reports(corpus), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return sorted(glob.glob(f"{folder}/*/"))


def borrow_kernel(cache):
    """The lab's own kernel, where it is there, spares downloading another."""
    own = os.environ.get("ASSAY_LAB_CACHE") or os.path.join(HERE, "../../build/lab")
    if os.path.exists(f"{own}/version") and not os.path.exists(f"{cache}/kver"):
        os.symlink(os.path.abspath(f"{own}/kernel"), f"{cache}/kernel")
        shutil.copy(f"{own}/version", f"{cache}/kver")


def run_lab(assay, corpus, work, drives):
    """assay show of each drive, in virtual machines: NAME.out in the results' folder."""
    results = f"{work}/results"
    cache = f"{work}/machine"
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(cache, exist_ok=True)
    borrow_kernel(cache)
    environment = dict(os.environ, LAB_CACHE=cache)
    subprocess.run([f"{corpus}/lab/lab-setup"], env=environment, check=True, stdout=sys.stderr)
    command = [f"{corpus}/lab/lab-batch", results, assay, "show", "-j", "-q", "{}", "--"]
    subprocess.run(command + drives, env=environment, check=False, stdout=sys.stderr)
    return results


def invented_fields(folder):
    with open(os.path.join(folder, "invented.tsv"), encoding="utf-8", errors="replace") as file:
        return {line.split("\t")[0] for line in file}


def made_up(key, document, invented):
    """What the drive's builder, not the report, decided."""
    for fact, field in (("identity.wwn", "WWN"), ("capacity.bytes", "capacity in")):
        if key == fact:
            return any(name.startswith(field) for name in invented)
    if getattr(key, "table", "") != "ata_attributes" or key.column not in ("raw", "flags"):
        return False
    rows = document.table(key.table)
    return key.index < len(rows) and f"SMART attribute {rows[key.index]['id']}" in invented


def compare(tally, corpus, drives, results):
    """Returns the names of drives of which there is no document."""
    sys.path.insert(0, f"{corpus}/corpus/tools")
    import report_facts  # pylint: disable=import-outside-toplevel,import-error

    by_name = {os.path.basename(path): path for path in reports(corpus)}
    by_name.update({os.path.splitext(name)[0]: path for name, path in by_name.items()})
    missing = []
    for folder in drives:
        name = os.path.basename(folder.rstrip("/"))
        output = f"{results}/{name}.out"
        if not os.path.exists(output) or not os.path.getsize(output):
            missing.append(name)
            continue
        document = Document(output)
        facts = report_facts.read_report(by_name[name])
        invented = invented_fields(folder)
        for key, value in corpus_claims.claims(facts, document):
            if not made_up(key, document, invented):
                tally.claim(facts["kind"], name, key, value, document)
    return missing


def test(holds, sentence):
    print(f"{'ok' if holds else 'not ok'} - {sentence}")
    return holds


def main(argv):
    if len(argv) < 2:
        print(__doc__, file=sys.stderr)
        return 64
    assay, corpus = os.path.abspath(argv[0]), os.path.abspath(argv[1])
    if not os.path.isdir(f"{corpus}/corpus/tools"):
        skip(f"no reports of real drives: {argv[1]} is not there")
    work = os.path.join(os.environ.get("BUILD") or os.path.join(HERE, "../../build"), "corpus")
    drives = build_drives(corpus, f"{work}/drives")
    results = argv[2] if len(argv) > 2 else run_lab(assay, corpus, work, drives)
    tally = Tally(os.path.join(HERE, "corpus_explained.tsv"))
    missing = compare(tally, corpus, drives, results)
    tally.print_table()
    tally.print_reasons()
    good = [test(len(drives) >= 400 and not missing, "every drive of the corpus was shown")]
    for name in missing[:20]:
        print(f"# no document of {name}")
    compared = tally.total("equal", "explained", "unexplained")
    good.append(test(compared >= LEAST, f"{LEAST} values or more were compared with reports"))
    good.append(test(not tally.unexplained, "no value differs from a report without a reason"))
    tally.print_unexplained()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
