#!/bin/sh
# Runs each fuzzer with libFuzzer, all at once. What breaks it is left in
# build/fuzz, with the inputs that were found.
#
# usage: tests/fuzz/run.sh RUNS [FUZZER...]
set -eu
cd "$(dirname "$0")/../.."
runs=$1
shift
build=build/fuzz
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

# Without these half of the time goes into stacks of allocations that nobody looks at, and
# into fresh memory.
export ASAN_OPTIONS="malloc_context_size=2:quarantine_size_mb=8:\
thread_local_quarantine_size_kb=256:allocator_release_to_os_interval_ms=-1:${ASAN_OPTIONS:-}"

[ $# -gt 0 ] || set -- walk decode import spec
make --no-print-directory SAN=0 CC=clang BUILD=$build \
    CFLAGS="-O2 -g -fsanitize=fuzzer-no-link $sanitize" $build/libassay.a
pids=
for name; do
    # shellcheck disable=SC2086 # lists of options
    clang -std=gnu11 -D_GNU_SOURCE -DASSAY_LIBFUZZER -Iinclude -Isrc -O2 -g -fsanitize=fuzzer \
        $sanitize -o "$build/fuzz_$name" "tests/fuzz/fuzz_$name.c" $build/libassay.a \
        ${LIBS:--lsgutils2 -latasmart -lcjson -luring -lblkid -lm}
    mkdir -p "$build/corpus-$name"
    most=8192
    case $name in
    import) others=data/drives ;;
    spec) others="tests/spec/slips data/specs/hgst" ;;
    walk) others='' most=1100 ;; # two sectors and what picks the walker
    *) others= ;;
    esac
    # shellcheck disable=SC2086 # a list of folders
    "$build/fuzz_$name" -runs="$runs" -max_len=$most -timeout=20 -rss_limit_mb=3072 \
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
