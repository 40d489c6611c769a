#!/bin/sh
# What make install leaves: a program that finds its data from anywhere. Prints TAP.
#
# usage: tests/cli/install.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
build=$(dirname "$1")
number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ASSAY_DATA MAKEFLAGS MAKELEVEL MFLAGS

verdict() { # RESULT SENTENCE
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
        return
    fi
    sed 's/^/# /' "$work/out" | head -n 20
    echo "not ok $number - $2"
}

# Runs the installed program in a folder that has nothing to do with it.
installed() { # ARGUMENT...
    (cd / && "$work/root/opt/it/bin/assay" "$@") >"$work/out" 2>&1
}

place() { # TARGET: what is built is not built again
    make -s -o all BUILD="$build" PREFIX=/opt/it DESTDIR="$work/root" "$1" >"$work/out" 2>&1
}

place install
verdict $? 'make install with a prefix and a destination'
(cd data && find specs workloads -name '*.json' | sort) >"$work/there"
(cd "$work/root/opt/it/share/assay" && find specs workloads -name '*.json' | sort) >"$work/out"
cmp -s "$work/there" "$work/out"
verdict $? 'every datasheet and workload is installed'
# but the few that have to be read whole
[ "$(grep -c '\.json' "$work/root/opt/it/share/assay/specs.tsv")" -gt $(($(grep -c '^specs' "$work/there") * 9 / 10)) ]
verdict $? 'the installed datasheets have an index'
installed bench list && grep -q '^jesd219 ' "$work/out"
verdict $? 'the installed program finds its workloads'
installed bench show sr-4k-write && grep -q '"threads"' "$work/out"
verdict $? 'one of them is found by its name'
installed spec list && grep -q 'SSD800MM' "$work/out"
verdict $? 'the installed program finds its datasheets'
mkdir -p "$work/mine/workloads"
sed 's/"sr-4k-read"/"mine"/' data/workloads/sr-4k-read.json >"$work/mine/workloads/mine.json"
ASSAY_DATA="$work/mine" installed bench show mine
verdict $? 'ASSAY_DATA comes first'
(cd "$work" && mkdir -p data/workloads && cp mine/workloads/mine.json data/workloads)
(cd "$work" && ! root/opt/it/bin/assay bench show mine) >"$work/out" 2>&1
verdict $? 'a folder data of somebody else is not looked at'
place uninstall && ! find "$work/root" ! -type d | grep -q .
verdict $? 'make uninstall leaves no file'
echo "1..$number"
