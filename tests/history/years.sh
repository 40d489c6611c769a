#!/bin/sh
# A hundred drives over five years, hour by hour: the file's size, and what history takes of one
# drive. Recording it all takes some ten minutes.
#
# usage: tests/history/years.sh ASSAY SIMULATE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
db=$work/history.db

"$2" "$db" 100 1825 | sed 's/^/# /'
bytes=$(stat -c %s "$db")
started=$(date +%s%N)
"$1" history --database "$db" SIM00025 >"$work/told"
took=$((($(date +%s%N) - started) / 1000000))
echo "# 100 drives, 5 years of hours: $bytes bytes; history of one: $took ms"
[ "$bytes" -lt 1073741824 ] && echo 'ok 1 - the file is below 1 GiB' ||
    echo 'not ok 1 - the file is below 1 GiB'
[ "$took" -lt 500 ] && echo 'ok 2 - history of one drive takes less than 0.5 s' ||
    echo 'not ok 2 - history of one drive takes less than 0.5 s'
grep -q 'Checks recorded  *43,800$' "$work/told" && echo 'ok 3 - every check is counted' ||
    echo 'not ok 3 - every check is counted'
echo '1..3'
