#!/bin/sh
# What the program does with what it is given on the command line. Prints TAP.
#
# usage: tests/cli/run.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
assay=$(realpath "$1")
drive=data/drives/sandisk-cloudspeed-eco-960gb-healthy.capture
number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() { # RESULT SENTENCE
    number=$((number + 1))
    [ "$1" = 0 ] && echo "ok $number - $2" || {
        sed 's/^/# /' "$work/out" "$work/err" | head -n 20
        echo "not ok $number - $2"
    }
}

# Runs assay and holds its exit status and the number of lines on standard error ("+": some).
try() { # SENTENCE STATUS LINES ARGUMENT...
    sentence=$1 status=$2 lines=$3
    shift 3
    timeout 10 "$assay" "$@" >"$work/out" 2>"$work/err"
    got=$?
    told=$(wc -l <"$work/err")
    [ "$lines" = + ] && [ "$told" -gt 0 ] && lines=$told
    [ "$got" = "$status" ] && [ "$told" = "$lines" ]
    verdict $? "$sentence (status $got)"
}

mkdir "$work/folder"
: >"$work/empty"
head -c 1073741824 /dev/urandom >"$work/noise"
mkfifo "$work/fifo"
printf 'assay-capture 1\ncdb 12 00 00 00 60 zz\n' >"$work/broken"
printf 'assay-capture 1\n' >"$work/hollow"

try 'no command is a usage error, with help' 64 +
try 'an unknown command is a usage error' 64 1 frobnicate
try 'an unknown option is a usage error' 64 1 show --frobnicate
try 'show wants a target' 64 1 show
try 'an unknown format is a usage error' 64 1 show -f xml "$drive"
try 'a time limit of nothing is a usage error' 64 1 show -t 0 "$drive"
try 'help is no error' 0 0 --help
try 'help of a command is no error' 0 0 show --help
try 'power wants a target' 64 1 power
try 'power wants a device' 66 1 power "$drive"
try 'an unknown power state is named' 64 1 power --states idle_d /dev/sg0
try 'an unknown part of power is named' 64 1 power --parts stats /dev/sg0
try 'pauses are milliseconds' 64 1 power --gaps 1,x /dev/sg0
try 'a number of tries is one to fifty' 64 1 power -n 51 /dev/sg0
try 'the version is no error' 0 0 --version
try 'a folder is no drive data' 65 1 show "$work/folder"
try 'an empty file is no drive data' 65 1 show "$work/empty"
try 'a gigabyte of noise is no drive data' 65 1 show "$work/noise"
try 'a fifo does not hang' 65 1 show "$work/fifo"
for command in capture check verify; do
    lines=1 # check has a line for each drive in its output
    [ $command = check ] && lines=0
    try "a folder is nothing to $command" 65 $lines $command "$work/folder"
    try "an empty file is nothing to $command" 65 $lines $command "$work/empty"
    try "a gigabyte of noise is nothing to $command" 65 $lines $command "$work/noise"
done
try 'a capture of nothing is not written' 65 1 capture -o "$work/none" "$work/noise"
[ ! -e "$work/none" ]
verdict $? 'no file is left of it'
cp "$drive" "$work/closed"
chmod 000 "$work/closed"
chmod 755 "$work"
if [ "$(id -u)" = 0 ]; then
    nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
else
    nobody=
fi
for command in show capture; do
    # shellcheck disable=SC2086 # a list of words
    timeout 10 $nobody "$assay" $command -o /dev/null "$work/closed" >"$work/out" 2>"$work/err"
    [ $? = 77 ] && [ "$(wc -l <"$work/err")" = 1 ]
    verdict $? "a file without permission is told in one line ($command)"
done
try 'a capture with a wrong byte is refused' 65 1 show "$work/broken"
grep -q "broken:2:" "$work/err"
verdict $? 'the message names the line of the wrong byte'
try 'a file that is not there is not there' 66 1 show "$work/nothing"
try 'a node that is not there is not there' 66 1 show /dev/nothing
try 'a node that is no SCSI device is refused' 65 1 show /dev/null
try 'a capture is shown' 0 0 show "$drive"
try 'two targets give an array' 0 0 show -j "$drive" "$drive"
/usr/bin/python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))) != 2)' "$work/out"
verdict $? 'the array has two documents'
try 'one bad target does not hide the good one' 65 1 show "$work/empty" "$drive"
grep -q SDLFNCAR "$work/out"
verdict $? 'the good one is shown'
try 'a full disk is told' 70 1 show -o /dev/full "$drive"
try 'import joins files' 65 1 capture --import "identify=$work/empty" -o "$work/joined"
try 'a capture is written' 0 0 capture -o "$work/copy" "$drive"
try 'a redacted capture is written' 0 0 capture --redact -o "$work/redacted" "$drive"
"$assay" show -j "$work/copy" | sed 's/"target".*//' >"$work/one"
"$assay" show -j "$drive" | sed 's/"target".*//' >"$work/two"
cmp "$work/one" "$work/two" >"$work/out" 2>&1
verdict $? 'a copied capture gives the same document'
serial=$("$assay" show -j "$drive" | sed -n 's/.*"serial":[^"]*"\(.*\)".*/\1/p' | head -n 1)
[ -n "$serial" ] && ! grep -qi "$serial" "$work/redacted" &&
    ! "$assay" show -v "$work/redacted" | grep -q "$serial"
verdict $? 'a redacted capture does not hold the serial number'

try 'a rule is explained' 0 0 check --explain temperature-limit
grep -q 'a warning at 60 or more, of an SSD 70; temperature.limit_celsius where' "$work/out" &&
    grep -q 'fans' "$work/out"
verdict $? 'with its limit and what to do'
try 'a rule that is none is told' 64 1 check --explain no-such-rule

printf '[limits]\nwear-used = 20\n' >"$work/conf"
printf '[check]\n\ndeadlin = 4\n' >"$work/bad"
try 'a configuration with a mistake is refused' 64 1 check --config "$work/bad" "$drive"
grep -q "bad:3: unknown key 'deadlin'" "$work/err"
verdict $? 'the message names the file, the line and what was expected'
try 'a configuration that was asked for must be there' 66 1 check -c "$work/nothing" "$drive"
try 'a drive without a configuration is well' 0 0 check "$drive"
try 'the configuration that holds is printed' 0 0 check -c "$work/conf" --print-config
cp "$work/out" "$work/printed"
try 'what was printed is a configuration' 0 0 check -c "$work/printed" -p
cmp "$work/out" "$work/printed" >"$work/err"
verdict $? 'and it says the same'

try 'a plug-in ends with one of four statuses' 3 0 check -f nagios "$work/empty"
grep -q '^ASSAY UNKNOWN: ' "$work/out"
verdict $? 'and says which'
try 'a plug-in that is called wrongly, too' 3 1 check -f nagios --deadline nothing
try 'a plug-in tells what it found' 0 0 check -f nagios "$drive"

mkdir "$work/whole"
for run in 1 2 3 4 5 6 7 8; do
    "$assay" check -f prometheus -o "$work/whole/it" "$drive" data/drives/*.capture \
        2>>"$work/complaints" &
done
torn=0 seen=0
while [ $seen -lt 200 ]; do
    seen=$((seen + 1))
    [ ! -e "$work/whole/it" ] || tail -n 1 "$work/whole/it" | grep -q '^assay_check_timestamp_seconds ' ||
        torn=$((torn + 1))
done
wait
[ $torn = 0 ] && [ "$(ls "$work/whole")" = it ] && [ ! -s "$work/complaints" ]
verdict $? "an output is whole whenever it is read, whoever else writes it (run $run)"
try 'an output that cannot be put in its place is told' 70 + check -o "$work/whole/it/below" "$drive"
