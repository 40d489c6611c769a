#!/bin/sh
# make lint: what tools say of the sources. Ends with 1 where one complains.
set -u
cd "$(dirname "$0")/.." || exit
failed=0
step() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >build/lint.log 2>&1; then
        echo "  ok   $name"
    else
        echo "  FAIL $name"
        head -n 60 build/lint.log
        failed=1
    fi
}
mkdir -p build
sources=$(ls src/*/*.c decoders/*.c)
all=$(ls src/*/*.[ch] decoders/*.[ch] include/assay/*.h tests/unit/*.[ch] tests/fuzz/*.[ch] \
    tests/lab/target/*.[ch] 2>/dev/null)
tidy() { # one file a call: with several it invents errors about va_list
    # shellcheck disable=SC2016 # the inner shell's
    printf '%s\n' "$@" | xargs -P 2 -I{} sh -c \
        'clang-tidy --quiet {} -- -std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc 2>&1 |
        awk "/warnings? generated/ { next } { print; bad = 1 } END { exit bad }"'
}

# shellcheck disable=SC2046,SC2086 # lists of names
{
    step clang-format clang-format --dry-run -Werror $all
    step cppcheck cppcheck -q --std=c11 --enable=warning,performance,portability \
        --inline-suppr --error-exitcode=1 -D_GNU_SOURCE -Iinclude -Isrc src decoders
    step clang-tidy tidy $sources
    step shellcheck shellcheck -s sh -S warning $(grep -lE '^#!/bin/sh' -r tests packaging data .ci)
}
if [ -x build/assay ]; then
    step 'README.md shows what is so' tests/cli/readme.py build/assay
fi
# The best trees have a median of about 10 lines and few functions that do not fit a screen.
# shellcheck disable=SC2086 # a list of names
ctags -x --langmap=C:.c.h --c-kinds=f --_xformat='%F %N %n %e' $all |
    awk '{ n = $4 - $3 + 1; print n, $1 ": " $2 }' | sort -rn >build/functions
awk '$1 > 50 { print "  long " $0; bad = 1 } { a[NR] = $1 }
    END { printf "  %d functions, median %d lines, longest %d\n", NR, a[int((NR + 1) / 2)], a[1]; exit bad }' \
    build/functions || failed=1
exit $failed
