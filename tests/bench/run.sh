#!/bin/sh
# make bench: figures against peers, as ratios of one run. Each line names what
# it wants; the exit status is 1 where a figure is missed.
#
# usage: tests/bench/run.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
failed=0
for part in tests/bench/bench_*.py; do
    "$part" "$1" || failed=1
done
exit $failed
