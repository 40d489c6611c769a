#!/bin/bash
# The history as the program keeps it: trouble with its file is told, and the
# verdicts are told all the same. Prints TAP.
#
# usage: tests/history/run.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
assay=$(realpath "$1")
healthy=data/drives/sandisk-cloudspeed-eco-960gb-healthy.capture
worn=data/drives/sandisk-cloudspeed-eco-960gb-worn.capture
number=0
work=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$mounted"; rm -rf "$work"' EXIT
chmod 755 "$work"

verdict() { # RESULT SENTENCE
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        sed 's/^/# /' "$work/out" "$work/err" | head -n 20
        echo "not ok $number - $2"
    fi
}

skip() { # SENTENCE WHY
    number=$((number + 1))
    echo "ok $number - $1 # skip $2"
}

# Runs a command, and holds its exit status and the only line on standard error, which must have
# each of the words ("": there is none).
try() { # SENTENCE STATUS WORDS COMMAND...
    local sentence=$1 status=$2 words=$3 got word good=0 lines=1
    shift 3
    timeout 60 "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ -n "$words" ] || lines=0
    [ "$got" = "$status" ] && [ "$(wc -l <"$work/err")" = "$lines" ] || good=1
    for word in $words; do
        grep -q -- "$word" "$work/err" || good=1
    done
    verdict "$good" "$sentence (status $got)"
}

told() { # SENTENCE WORD: the verdict is on standard output
    grep -q "^$2 " "$work/out"
    verdict $? "$1"
}

db=$work/history.db
try 'a run is recorded' 0 '' "$assay" check --record --database "$db" "$healthy"
try 'its verdict has its own status' 2 '' "$assay" check --record --database "$db" "$worn"
[ "$(find "$work" -name 'history.db' | wc -l)" = 1 ]
verdict $? 'the file is where it was asked for'
try 'a drive of an unknown name: told, with one like it' 66 'no.drive.of.the.history is.it SDLFNCAR' \
    "$assay" history --database "$db" 0000002
try 'and with the list where there is none' 66 'assay.history lists' \
    "$assay" history --database "$db" nothing
try 'no name is no drive' 66 'no.drive' "$assay" history --database "$db" ''
try 'a drive is exported by a capture of it' 0 '' "$assay" history --database "$db" export "$worn"
[ "$(cut -d, -f1 <"$work/out" | sort -u | wc -l)" = 2 ]
verdict $? 'and no other'
try 'a history is read without being written' 0 '' "$assay" check --database "$db" "$healthy"
try 'a history that is not there is not made for reading' 0 "$work/none.db" \
    "$assay" check --database "$work/none.db" "$healthy"

try 'no folder: told' 2 "$work/no/where.db" "$assay" check --record --database "$work/no/where.db" "$worn"
told 'no folder: the verdict is told' FAILING
head -c 20000 /dev/zero | tr '\0' x >"$work/text"
try 'no database: told' 2 "$work/text not.a.history" \
    "$assay" check --record --database "$work/text" "$worn"
told 'no database: the verdict is told' FAILING
[ "$(tr -d x <"$work/text" | wc -c)" = 0 ]
verdict $? 'what is no database is left as it was'
try 'no drive that is known: told' 0 'not.recorded serial' \
    "$assay" check --record --database "$db" --as smart tests/history/nameless.smart

"$assay" history --database "$db" -j "$worn" >"$work/history-of-a-drive.json"
"$assay" history --database "$db" -j >"$work/history-of-all.json"
"$assay" history --database "$db" -f json export >"$work/history-export.json"
python3 - "$work/history-of-all.json" "$work/history-of-a-drive.json" <<'END'
import json, sys
all, one = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
ends = [row["end_date"] for row in all["tables"]["history_drives"]
        if row["serial"] == one["facts"]["identity.serial"]["value"]]
sys.exit(ends != [one["facts"]["history.end_date"]["value"]] or not ends[0])
END
verdict $? 'the list has the date that is told of the drive'
tests/golden/schema.py $((number + 1)) "$work"/history-*.json
number=$((number + 3))

# Full: by a limit of sizes, which needs no root, and on a file system.
try 'no room: told' 2 "$work/limited.db full" bash -c \
    "ulimit -f 8; exec '$assay' check --record --database '$work/limited.db' '$worn'"
told 'no room: the verdict is told' FAILING
mkdir "$work/small"
if mount -t tmpfs -o size=96k none "$work/small" 2>/dev/null; then
    mounted=$work/small
    try 'a full disk: told' 2 "$work/small/history.db full" \
        "$assay" check --record --database "$work/small/history.db" "$worn"
    told 'a full disk: the verdict is told' FAILING
    umount "$mounted"
    mounted=
else
    skip 'a full disk: told' 'no tmpfs can be mounted'
    skip 'a full disk: the verdict is told' 'no tmpfs can be mounted'
fi

# A file that may only be read: root may write to any, so nobody tries.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    cp "$assay" "$work/assay"
    cp "$worn" "$work/worn.capture"
    chmod 755 "$work/assay"
    chmod 644 "$work/worn.capture" "$db"
    try 'a file that may only be read: told' 2 "$db ermission" \
        setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$work/assay" check --record --database "$db" "$work/worn.capture"
    told 'a file that may only be read: the verdict is told' FAILING
else
    skip 'a file that may only be read: told' 'only root can be somebody else'
    skip 'a file that may only be read: the verdict is told' 'only root can be somebody else'
fi

echo "1..$number"
