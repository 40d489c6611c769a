#!/bin/sh
# The library of datasheets, from the command line. Prints TAP.
#
# usage: tests/spec/run.sh ASSAY [FOLDER]
# FOLDER/facts has names of real drives, where it is kept beside the repository.
set -u
cd "$(dirname "$0")/../.." || exit
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
sed 's/"identity.serial": {"value": "ASSAY001"}//' "$work/bench.json" >"$work/nobody.json"
try 'results of no drive are said to be such' 2 'do not say of which drive' verify \
    --results "$work/nobody.json" $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
# another figure, and another drive's, beside those
sed 's/random_read_iops", "value": 100000/random_write_iops", "value": 71000/' "$work/bench.json" \
    >"$work/writes.json"
sed 's/100000/150000/' "$work/bench.json" >"$work/better.json"
sed 's/ASSAY001/ASSAY002/' "$work/bench.json" >"$work/other.json"
try 'a file of results is not in the place of another: this one fails' 2 \
    'FAIL           performance.random_read_iops' verify --results "$work/bench.json" \
    --results "$work/writes.json" $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
try 'and this one passes' 2 'pass           performance.random_write_iops' \
    verify --results "$work/bench.json" --results "$work/writes.json" \
    $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
for order in 'bench better' 'better bench'; do
    # shellcheck disable=SC2086 # two words
    set -- $order
    try "results that contradict each other are a conflict: $order" 1 \
        'conflict       performance.random_read_iops' verify --results "$work/$1.json" \
        --results "$work/$2.json" $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
    number=$((number + 1))
    grep -q 'results contradict each other: performance.random_read_iops is 1.* and 1' "$work/out" ||
        printf 'not '
    echo "ok $number - and both figures are told: $order"
done
try 'results of two drives are refused' 64 'other.json: results of two drives' verify \
    --results "$work/bench.json" --results "$work/other.json" \
    $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
try 'of several files the one that names no drive is said' 2 'nobody.json do not say of which drive' \
    verify --results "$work/bench.json" --results "$work/nobody.json" \
    $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
"$assay" spec new $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture >"$work/draft.json"
try 'a draft can be read as a datasheet' 0 '12 Gbit/s' spec show "$work/draft.json"
try 'a drive is what its own draft says' 0 'as asked' verify --spec "$work/draft.json" \
    $drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
# What a meter said beside a run: a writer of a file stands for it.
measured() { # WATTS RESULT OPTION...
    watts=$1 result=$2
    shift 2
    echo "$watts" >"$work/watts"
    while sleep 0.05; do
        echo "$watts" >"$work/watts"
    done &
    writer=$!
    timeout 60 "$assay" bench -q -j -o "$result" --size 16m --no-precondition --meter "file:$work/watts" \
        --destroy-data file "$@" "$work/file"
    kill "$writer"
    wait "$writer" 2>/dev/null
}
# shifted FILE EXPRESSION: the result `d`, changed
shifted() {
    /usr/bin/python3 -c "import json, sys
d = json.load(open(sys.argv[1]))
rows = d['tables']['measurements']
$2
json.dump(d, sys.stdout)" "$1"
}
measured 2.1 "$work/idle.json" -W sr-4k-rr-scale -Q 1 -t 0.1 --idle 1.5
measured 3.0 "$work/busy.json" -W iom-database -Q 4 -t 0.8 --idle 1.5
# what a file on this host gives is no drive's rate
for result in idle busy; do
    shifted "$work/$result.json" 'rows[:] = [r for r in rows if not r["key"].startswith("performance.")]' >"$work/rest"
    mv "$work/rest" "$work/$result.json"
done
eco=$drives/sandisk-cloudspeed-eco-960gb-healthy.capture
lightning=$drives/sandisk-lightning-lb406s-healthy.capture
ultrastar=$drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
try 'an idle power that was measured and holds passes' 0 'pass           power.idle_milliwatts' \
    verify --results "$work/idle.json" "$eco"
try 'one that does not hold fails' 2 'FAIL           power.idle_milliwatts' \
    verify --results "$work/busy.json" "$eco"
try 'a typical power that is near passes' 0 'pass           power.typical_milliwatts' \
    verify --results /dev/stdin "$lightning" <<EOT
$(shifted "$work/busy.json" 'for r in rows: r["value"] = 5800 if r["key"] == "power.typical_milliwatts" else r["value"]')
EOT
try 'one that is far off is no failure, it is typical' 1 'marginal       power.typical_milliwatts' \
    verify --results "$work/busy.json" "$lightning"
levels() { # WATTS-AT-9 WATTS-AT-11
    shifted "$work/busy.json" "rows[:] = [dict(r, value=w * 1e3, limit_milliwatts=l * 1e3)
        for r in rows if r['key'] == 'power.active_milliwatts' for w, l in (($1, 9), ($2, 11))]"
}
levels 8.7 10.6 >"$work/levels.json"
levels 9.9 10.6 >"$work/over.json"
try 'each power level that was measured holds' 0 'pass           power.selectable_milliwatts' \
    verify --results "$work/levels.json" "$ultrastar"
try 'a level that is exceeded fails' 2 'takes 9.9 W on average while it is set to 9 W' \
    verify --results "$work/over.json" "$ultrastar"
heat() { # KEY VALUE...
    shifted "$work/idle.json" "rows += [{'key': k, 'value': v} for k, v in [$*]]"
}
heat "('temperature.throttles', 1)" , "('temperature.throttle_celsius', 72)" , "('temperature.operating_celsius', 73)" \
    >"$work/hot.json"
heat "('temperature.throttles', 0)" , "('temperature.operating_celsius', 51)" >"$work/cool.json"
heat "('temperature.throttles', 1)" , "('temperature.throttle_celsius', 61)" >"$work/early.json"
try 'throttling that was seen is as claimed' 0 'pass           temperature.throttles' \
    verify --results "$work/hot.json" "$eco"
try 'a drive that worked beyond its range did' 0 'pass           temperature.operating_celsius' \
    verify --results "$work/hot.json" "$eco"
try 'a drive that was not hot enough is not tested' 0 'not tested     temperature.throttles' \
    verify --results "$work/cool.json" "$eco"
try 'throttling within the rated range is marginal' 1 'marginal       temperature.operating_celsius' \
    verify --results "$work/early.json" "$eco"

tests/spec/observed.py "$assay" "$folder"
