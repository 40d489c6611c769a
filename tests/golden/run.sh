#!/bin/sh
# The brought-along drives' pages, line for line, and their documents against
# the JSON Schema.
#
# usage: tests/golden/run.sh ASSAY [--rewrite]     prints TAP
# tests/golden/<drive>.txt is `assay show -v` of it; the JSON of the healthy
# drives stands beside it.
set -u
cd "$(dirname "$0")/../.." || exit
assay=$1
rewrite=${2-}
number=0
export NO_COLOR=1 ASSAY_DRIVEDB=/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # SENTENCE EXPECTED FOUND
    number=$((number + 1))
    if [ "$rewrite" = --rewrite ]; then
        cp "$3" "$2"
    fi
    if diff -u "$2" "$3" >"$work/diff" 2>&1; then
        echo "ok $number - $1"
    else
        sed 's/^/# /' "$work/diff" | head -n 60
        echo "not ok $number - $1"
    fi
}

for drive in data/drives/*.capture; do
    name=$(basename "$drive" .capture)
    "$assay" show -v "$drive" >"$work/$name.txt" 2>"$work/err"
    "$assay" show -j "$drive" >"$work/$name.json" 2>>"$work/err"
    cat "$work/err" >>"$work/$name.txt"
    check "$name is explained as before" "tests/golden/$name.txt" "$work/$name.txt"
    case $name in
    *-healthy) check "$name gives the same document" "tests/golden/$name.json" "$work/$name.json" ;;
    esac
done
[ "$rewrite" = --rewrite ] && exit
tests/golden/schema.py $((number + 1)) "$work"/*.json
tests/golden/expected.py "$assay" $((number + 100))
