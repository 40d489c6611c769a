#!/bin/sh
# Real drives' data, where they are kept beside the repository. Prints TAP.
#
# usage: tests/corpus/run.sh ASSAY [FOLDER]
# FOLDER holds corpus/; ASSAY_CORPUS, if set, is that folder itself.
set -u
assay=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
corpus=${ASSAY_CORPUS:-${2:-../shared}/corpus}
for test in tests/corpus/test_*.py; do
    ASSAY_CORPUS=$corpus /usr/bin/python3 "$test" "$assay" || exit 1
done
