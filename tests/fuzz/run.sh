#!/bin/sh
# Runs each fuzzer with libFuzzer, both at once. What breaks it is left in
# build/fuzz, with the inputs that were found.
#
# usage: tests/fuzz/run.sh RUNS [FUZZER...]
set -eu
cd "$(dirname "$0")/../.."
runs=$1
shift
build=build/fuzz
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

[ $# -gt 0 ] || set -- import decode
make --no-print-directory SAN=0 CC=clang BUILD=$build \
    CFLAGS="-O1 -g -fsanitize=fuzzer-no-link $sanitize" $build/libassay.a
pids=
for name; do
    # shellcheck disable=SC2086 # lists of options
    clang -std=gnu11 -D_GNU_SOURCE -DASSAY_LIBFUZZER -Iinclude -Isrc -O1 -g -fsanitize=fuzzer \
        $sanitize -o "$build/fuzz_$name" "tests/fuzz/fuzz_$name.c" $build/libassay.a \
        ${LIBS:--lsgutils2 -latasmart -lcjson -lm}
    mkdir -p "$build/corpus-$name"
    others=
    [ "$name" = decode ] || others=data/drives
    "$build/fuzz_$name" -runs="$runs" -max_len=8192 -timeout=20 -rss_limit_mb=3072 \
        -print_final_stats=1 -artifact_prefix=$build/ "$build/corpus-$name" \
        "tests/fuzz/seeds/$name" $others >"$build/$name.log" 2>&1 &
    pids="$pids $!"
done
failed=0
for pid in $pids; do
    wait "$pid" || failed=1
done
for name; do
    sed -n 's/^stat::number_of_executed_units: */  '"$name"': inputs run: /p; s/^SUMMARY/  &/p' \
        "$build/$name.log"
done
[ $failed = 0 ] || echo "see $build/*.log"
exit $failed
