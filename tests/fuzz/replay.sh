#!/bin/sh
# Replays the fuzzers' seeds, and the drives that are brought along as files to
# import. Prints TAP.
#
# usage: tests/fuzz/replay.sh BUILD
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
"$build/tests/fuzz/fuzz_import" tests/fuzz/seeds/import/* data/drives/*.capture || exit 1
"$build/tests/fuzz/fuzz_decode" tests/fuzz/seeds/decode/* || exit 1
"$build/tests/fuzz/fuzz_walk" tests/fuzz/seeds/walk/* || exit 1
"$build/tests/fuzz/fuzz_spec" tests/fuzz/seeds/spec/* tests/spec/slips/*.json || exit 1
