#!/bin/sh
# The library of datasheets, from the command line. Prints TAP.
#
# usage: tests/spec/run.sh ASSAY [FOLDER]
# FOLDER/facts has names of real drives, where it is kept beside the repository.
set -u
cd "$(dirname "$0")/../.."
assay=$(realpath "$1")
folder=${2:-../shared}
number=2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASSAY_DATA=data

tests/spec/schema.py

# Runs assay; its exit status and a text that it prints are as expected.
try() { # SENTENCE STATUS TEXT ARGUMENT...
    sentence=$1 status=$2 text=$3
    shift 3
    number=$((number + 1))
    "$assay" "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" = "$status" ] && grep -qF -- "$text" "$work/out"; then
        echo "ok $number - $sentence"
    else
        sed 's/^/# /' "$work/out" | head -n 20
        echo "not ok $number - $sentence (status $got)"
    fi
}

drives=data/drives
sed -n '/^\.Bd /,/^\.Ed/p' docs/assay-spec.5 | grep -v '^\.' >"$work/example.json"
printf '{\n"schema": "assay-spec/1",\n"vendor": "V" "family"}\n' >"$work/broken.json"
sed 's/"12 Gbit/"12 furlongs/' "$work/example.json" >"$work/unit.json"

try 'the library lints clean' 0 ', 0 of them to be resolved' spec lint all
try "the man page's example lints clean" 0 '0 findings' spec lint "$work/example.json"
try 'what is no JSON is told by its line' 2 'broken.json:3: ' spec lint "$work/broken.json"
try 'a wrong unit is told by its path' 2 'claims.link.max_gbps: ' spec lint "$work/unit.json"
try 'a slip is told with its arithmetic' 1 '10 DWPD x 0.8 TB x 365 x 5 years' \
    spec lint tests/spec/slips/ssd800mm.json
try 'the library is listed' 0 'Ultrastar SSD800MM' spec list
try 'a word narrows the list' 0 '3 families, 10 models' spec list ssd800
try 'two words narrow it more' 0 '1 families' spec list ssd800 MM
try 'a list of nothing is empty' 0 '0 families, 0 models' spec list frobnicate
try 'a datasheet is shown by the end of its family' 0 'HGST Ultrastar SSD800MM' spec show ssd800mm
try 'what several families end with names none' 66 'assay spec list WORD tells' spec show SAS
try 'a datasheet is shown by its family' 0 '14.6 PB' spec show 'Ultrastar SSD800MM'
try 'a datasheet is shown by a model' 0 'Lightning SLC' spec show LB406S
try 'a model is matched, and why' 0 'matches "HUSMM8080ASS20[0145]"' spec match HUSMM8080ASS204
try 'a part number is decoded' 0 '80       Capacity: 800 GB' spec match HUSMM8080ASS204
try 'a drive is matched' 0 'CloudSpeed Eco' spec match $drives/sandisk-cloudspeed-eco-960gb-worn.capture
try 'an ambiguous name is not guessed' 3 'no datasheet' spec match 'Samsung SSD 845DC'
try 'an unknown family is none' 66 'no datasheet of that name' spec show frobnicate
try 'a verb is needed' 64 'expected list' spec
for drive in "$drives"/*-healthy.capture; do
    try "${drive##*/} is what its datasheet says" 0 'datasheet: ' verify "$drive"
done
tests/lab/lies.py $drives "$work/lies" >"$work/list"
while read -r name verdict; do
    try "$name fails by its lie" 2 " $verdict " verify "$work/lies/$name.capture"
    number=$((number + 1))
    grep -E '^  (FAIL|marginal|conflict) ' "$work/out" | grep -v "^  FAIL .* $verdict " >"$work/others"
    [ ! -s "$work/others" ] || printf 'not '
    echo "ok $number - $name: and by nothing else"
done <"$work/list"
try 'a consumed rating fails' 2 'it is consumed' verify $drives/hgst-ultrastar-ssd800mm-800gb-worn.capture
try 'a drive that is out of its warranty is marginal' 1 'the time ended it' \
    verify $drives/sandisk-lightning-lb406s-worn.capture
try 'a used drive is not new' 2 'it was used' verify --expect-new \
    $drives/sandisk-lightning-lb406s-healthy.capture
try 'another family can be asked for' 2 'no model of this datasheet' \
    verify --spec 'Ultrastar SSD1000MR' $drives/sandisk-lightning-lb406s-healthy.capture
try 'a datasheet that is not there is no datasheet' 66 'no datasheet' \
    verify --spec nowhere.json $drives/sandisk-lightning-lb406s-healthy.capture
printf '{"facts": {"identity.serial": {"value": "ASSAY001"}}, "tables": {"measurements": [%s]}}' \
    '{"key": "performance.random_read_iops", "value": 100000, "block_bytes": 4096, "link_gbps": 12}' \
    >"$work/bench.json"
try 'a measured claim fails' 2 'performance.random_read_iops' verify --results "$work/bench.json" \
    $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
try 'results of another drive are not used' 0 'not of this one' verify \
    --results "$work/bench.json" $drives/sandisk-lightning-lb406s-healthy.capture
"$assay" spec new $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture >"$work/draft.json"
try 'a draft can be read as a datasheet' 0 '12 Gbit/s' spec show "$work/draft.json"
try 'a drive is what its own draft says' 0 'as asked' verify --spec "$work/draft.json" \
    $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
tests/spec/observed.py "$assay" "$folder"
