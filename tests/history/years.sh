#!/bin/sh
# A hundred drives over five years: the file's size, and what history takes of one drive.
# Two drives are recorded hour by hour; their rows are those of fifty more each.
#
# usage: tests/history/years.sh ASSAY SIMULATE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
db=$work/history.db

"$2" "$db" 2 1825
sqlite3 "$db" >/dev/null <<'SQL'
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
INSERT INTO drive SELECT id + 2 * i, subject || i, vendor, model, serial || i, wwn, protocol,
    target, first, last, daily_until, weekly_until FROM drive, n;
INSERT INTO run SELECT d.id, time, state, worst, runs FROM drive d JOIN run ON drive = 2 - d.id % 2
    WHERE d.id > 2;
INSERT INTO value SELECT d.id, key, time, value FROM drive d JOIN value ON drive = 2 - d.id % 2
    WHERE d.id > 2;
INSERT INTO verdict SELECT d.id, rule, time, state, reason FROM drive d
    JOIN verdict ON drive = 2 - d.id % 2 WHERE d.id > 2;
INSERT INTO day SELECT d.id, key, day, readings, sum, minimum, maximum FROM drive d
    JOIN day ON drive = 2 - d.id % 2 WHERE d.id > 2;
PRAGMA wal_checkpoint(TRUNCATE);
SQL
drives=$(sqlite3 "$db" 'SELECT count(*) FROM drive')
bytes=$(stat -c %s "$db")
started=$(date +%s%N)
"$1" history --database "$db" SIM0000025 >/dev/null
took=$((($(date +%s%N) - started) / 1000000))
echo "# $drives drives, 5 years of hours: $bytes bytes; history of one: $took ms"
[ "$drives" = 100 ] && [ "$bytes" -lt 1073741824 ] && echo 'ok 1 - the file is below 1 GiB' ||
    echo 'not ok 1 - the file is below 1 GiB'
[ "$took" -lt 500 ] && echo 'ok 2 - history of one drive takes less than 0.5 s' ||
    echo 'not ok 2 - history of one drive takes less than 0.5 s'
echo '1..2'
