#!/bin/sh
# The rules of the house that a script can hold. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit
number=0
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# The rule holds where $found is empty.
rule() {
    number=$((number + 1))
    if [ -s "$found" ]; then
        sed 's/^/# /' "$found" | head -n 40
        echo "not ok $number - $1"
    else
        echo "ok $number - $1"
    fi
}

tests/layers.sh >"$found" 2>&1
rule 'no include points to the left'

for header in include/assay/*.h src/*/*.h decoders/*.h; do
    [ -e "$header" ] || continue
    "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude -Isrc -I. \
        -fsyntax-only -x c "$header" 2>&1
done >"$found"
rule 'every header compiles alone'

wc -l src/*/*.[ch] decoders/*.[ch] include/assay/*.h tests/*/*.c |
    awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }' >"$found"
rule 'no source file has more than 500 lines'

grep -nE 'sizeof[^/]*/ *sizeof' src/*/*.[ch] decoders/*.[ch] tests/*/*.[ch] tests/lab/target/*.[ch] \
    >"$found"
rule 'the length of an array is ARRAY_LEN'

for file in src/*/*.c decoders/*.c; do
    printf '%s %s\n' "${file##*/}" "$file"
done | sort | awk '$1 == name { print file " and " $2 } { name = $1; file = $2 }' >"$found"
rule 'each source file has a name of its own: the archive keeps no folders'

grep -nE '\bSG_IO\b|scsi/sg\.h' src/*/*.[ch] decoders/*.[ch] |
    grep -vE '^[^:]*:[0-9]*:[ 	]*(/?\*|//)|/\*.*SG_IO' >"$found"
rule 'SG_IO is left to libsgutils2'

for where in sgutils:transport/sg.c,command/sense.c atasmart:atasmart.c; do
    library=${where%%:*}
    grep -ln "#include <\(scsi/sg_\|$library\)" src/*/*.c decoders/*.c | while read -r file; do
        case ,${where#*:}, in
        *,"${file#src/}",* | *,"${file#decoders/}",*) ;;
        *) [ "$library" = sgutils ] && grep -q '<scsi/sg_' "$file" && echo "$file" ;;
        esac
    done
done >"$found"
grep -ln '#include <sqlite3' src/*/*.[ch] decoders/*.[ch] | grep -v '^src/history/' >>"$found"
rule 'each library is used in its own files only'

grep -nE 'fprintf\(stderr|perror\(|fputs\(.*stderr' src/*/*.c decoders/*.c |
    grep -vE '^src/(cli|base/arena\.c|fact/facts\.c)' >"$found"
rule 'only src/cli writes to standard error'

for page in docs/*.[1-8]; do
    mandoc -T lint -W warning "$page" 2>&1
done >"$found"
rule 'the man pages are clean'

for decoder in decoders/*.c; do
    for name in $(sed -n 's/^const struct decoder decoder_\([a-z_]*\) = .*/\1/p' "$decoder"); do
        [ "$(grep -c "decoder_${name}[,;]" decoders/registry.c)" = 2 ] || echo "$decoder: $name"
    done
done >"$found"
rule 'every decoder is registered'

grep -rnE '\b(TODO|FIXME|XXX)\b' src decoders include tests Makefile --include='*.[ch]' \
    --include='*.sh' --include='*.py' --include=Makefile | grep -v '^tests/house.sh' >"$found"
rule 'nothing is left to be done'
