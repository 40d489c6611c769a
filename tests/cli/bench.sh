#!/bin/sh
# assay bench on the command line, with a file as the target. Prints TAP.
#
# usage: tests/cli/bench.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
assay=$(realpath "$1")
number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=$work/file
mkdir "$work/powercap" && echo 1 >"$work/powercap/energy_uj"

verdict() { # RESULT SENTENCE
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
        return
    fi
    sed 's/^/# /' "$work/out" "$work/err" | head -n 20
    echo "not ok $number - $2"
}

# Runs assay bench and holds its exit status and a pattern in its output or its message.
try() { # SENTENCE STATUS PATTERN ARGUMENT...
    sentence=$1 status=$2 pattern=$3
    shift 3
    timeout 60 "$assay" bench -q "$@" >"$work/out" 2>"$work/err"
    got=$?
    expr "$got" : "$status\$" >/dev/null && cat "$work/out" "$work/err" | grep -qe "$pattern"
    verdict $? "$sentence (status $got)"
}

# Holds an expression over the last output, read as JSON `d`.
holds() { # SENTENCE PYTHON-EXPRESSION
    /usr/bin/python3 -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not ($2))" "$work/out"
    verdict $? "$1"
}

try 'a target and a workload are wanted' 64 'name a TARGET'
try 'a workload is wanted' 64 'name a --workload' "$file"
try 'an unknown workload is named' 66 "no workload 'nothing'" "$file" -W nothing
try 'a depth of 0 is refused' 64 'from 1 to 4096' "$file" -W sr-4k-read -Q 0
try 'a size without a unit that is known is refused' 64 'expected bytes' "$file" -W sr-4k-read -b 4q
try 'help is no error' 0 'usage: assay bench' --help
try 'the workloads are listed' 0 '^jesd219 ' list
try 'a workload is shown' 0 '"threads":	16' show sr-4k-write
try 'what is given stands in what is shown' 0 '"depth":	7' show sr-4k-write -Q 7
"$assay" bench show iom-fileserver -o "$work/mine.json"
try 'what is shown can be given back' 0 '"sizes"' show "$work/mine.json"
sed -i 's/"random_percent":.100/"random_percent": 101/' "$work/mine.json"
try 'a wrong workload is refused with its place' 64 'streams\[0\].random_percent: expected' show "$work/mine.json"
try 'a file that is not there wants its size' 66 'size' "$file" -W sr-4k-rr-scale
try 'a file is made and read' 0 '"complete"' "$file" --size 16m -W sr-4k-rr-scale -t 0.05 -j
holds 'each depth is a point' \
    '[r["depth"] for r in d["tables"]["bench"] if r["phase"] == "measure"] == [1, 2, 4, 8, 16, 32, 64]'
/usr/bin/python3 - "$work/out" docs/assay-document.schema.json >"$work/err" 2>&1 <<'EOF'
import json, sys
import jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))
EOF
verdict $? 'the result is a document of the schema'
/usr/bin/python3 - docs/assay-workload.schema.json data/workloads/*.json >"$work/err" 2>&1 <<'EOF'
import json, sys
import jsonschema
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), json.load(open(sys.argv[1])))
EOF
verdict $? 'every workload is one of the schema'
try 'a file with data is not written to' 64 'destroy-data file' "$file" -W sr-4k-rw-ss
try 'another name does not do' 64 'this drive is\|destroy-data' "$file" -W sr-4k-rw-ss --destroy-data fil
try 'what is written is verified' 0 '"complete"' "$file" -W iom-fileserver -Q 4 --stop-ios 2000 \
    --no-precondition --verify --destroy-data file -j
holds 'every block was good' \
    'd["facts"]["bench.wrong_blocks"]["value"] == 0 and d["facts"]["bench.verified_blocks"]["value"] > 1000'
cat >"$work/stages.json" <<'EOF'
{ "schema": "assay-workload-1", "name": "stages", "streams": [{ "read_percent": 100, "block_bytes": "4k" }],
  "stages": [
    { "name": "small", "time_seconds": 0.1, "idle_seconds": 0.2, "repeat": 3 },
    { "name": "large", "stream": { "read_percent": 100, "block_bytes": "64k", "depth": 4 }, "time_seconds": 0.2 } ] }
EOF
try 'parts that differ in more run one after the other' 0 '"complete"' "$file" -W "$work/stages.json" -j
holds 'each so often, with its own accesses, and a rest behind them' \
    '[(r["stage"], r["round"], r["block"], r["depth"]) for r in d["tables"]["bench"]] == [("small", 1, "4k", 1),
        ("small", 2, "4k", 1), ("small", 3, "4k", 1), ("large", 1, "64k", 4)] and
        0.9 < d["facts"]["bench.duration_seconds"]["value"]'
try 'a shorter run is idle for as much shorter a time' 0 '"complete"' "$file" -W "$work/stages.json" -t 0.05 \
    --rounds 2 --state "$work/stages.state" -j
holds 'and has fewer repetitions' 'len(d["tables"]["bench"]) == 3 and d["tables"]["bench"][0]["seconds"] < 0.1'
try 'a run of parts goes on where it was' 0 '"complete"' "$file" -W "$work/stages.json" -t 0.05 --rounds 2 \
    --state "$work/stages.state" -j
holds 'without a new access, or a rest' 'd["facts"]["bench.duration_seconds"]["value"] < 0.1 and
    len(d["tables"]["bench"]) == 3'
try 'the synchronous engine says that it is it' 0 '"sync"' "$file" -W sr-4k-rr-scale -Q 2 -t 0.05 --engine sync -j
case $(stat -f -c %T "$work") in
ext*)
    try 'a file of a disk keeps io_uring for single accesses' 0 '"uring"' "$file" -W sr-4k-rr-scale -Q 1 \
        -t 0.05 -j
    ;;
esac
# where a file in memory can be read past the page cache, io_uring hands that on
memory=$(mktemp -p /dev/shm assay-bench-XXXXXX)
head -c 16m /dev/zero >"$memory"
try 'an engine that hands accesses on is not taken for single ones' 0 '"complete"' "$memory" -W sr-4k-rr-scale \
    -Q 1 -t 0.05 -j
holds 'and it is said why' 'd["tables"]["bench"][0]["engine"] == "uring" or
    "other threads" in d["facts"]["bench.engine_note"]["value"]'
rm -f "$memory"
try 'no device is needed to measure the engine' 0 '"none"' "$file" -W sr-4k-rr-scale -Q 8 -t 0.05 --engine none -j
try 'a file cannot be sanitized' 64 'whole drive' "$file" -W sr-4k-rr-scale -t 0.05 --purge sanitize-block \
    --destroy-data file
try 'another way of purging is refused' 64 "expected a way" "$file" -W sr-4k-rr-scale --purge shred
try 'a file can be discarded' 0 '"discard"' "$file" -W sr-4k-rr-scale -Q 1 -t 0.05 --purge discard \
    --destroy-data file -j
try 'a drive that is never steady is a warning' 1 'no steady state' "$file" -W sr-4k-rw-ss -t 0.01 --rounds 3 \
    --destroy-data file
try 'a meter that is none is refused' 64 'expected hwmon:' "$file" -W sr-4k-rr-scale --meter 5W
try 'a meter of the processor is refused' 64 'never of a drive' "$file" -W sr-4k-rr-scale \
    --meter "file:$work/powercap/energy_uj"
try 'watts are measured beside the work' 0 '"complete"' "$file" -W sr-4k-rr-scale -Q 4 -t 0.5 --idle 1.5 \
    --meter 'cmd:while :; do echo 5.5; sleep 0.02; done' -j
holds 'each point has its power, energy and work for it' \
    'all(abs(r["average_watts"] - 5.5) < 1e-6 and abs(r["joules"] - 5.5 * r["seconds"]) < 0.5 and
        abs(r["iops_per_watt"] - r["iops"] / 5.5) < 1e-3 * r["iops"] and r["meter_coverage_percent"] > 90
        for r in d["tables"]["bench"] if r["phase"] == "measure")'
holds 'the idle drive has its power' \
    '"idle" in [r["phase"] for r in d["tables"]["bench"]] and abs(d["facts"]["bench.idle_milliwatts"]["value"] - 5500) < 1e-6'
holds 'the meter is named' 'd["facts"]["bench.meter_source"]["value"].startswith("cmd:while") and
    d["facts"]["bench.meter_alive"]["value"] and d["facts"]["bench.meter_readings_per_second"]["value"] > 5'
try 'a meter that dies is told' 0 'its program ended with status 7' "$file" -W sr-4k-rr-scale -Q 4 -t 0.6 \
    --meter 'cmd:echo 5; exit 7' -j
holds 'and gives no power' 'all(r["average_watts"] is None and r["joules"] is None and r["meter_coverage_percent"] < 90
    for r in d["tables"]["bench"]) and not d["facts"]["bench.meter_alive"]["value"] and
    not [m for m in d["tables"]["measurements"] if m["key"].startswith("power.")]'
try 'a figure that was given is no measurement' 0 'was given as const:5, not measured' "$file" -W sr-4k-rr-scale \
    -Q 4 -t 0.6 --meter const:5
try 'fio can read the result' 0 '"clat_ns"' "$file" -W sr-4k-rr-scale -Q 4 -t 0.05 --compat fio-json
holds 'its latencies add up' 'd["jobs"][0]["read"]["clat_ns"]["N"] == d["jobs"][0]["read"]["total_ios"] > 0'
holds 'and has what plotting programs look for' '{"iops_stddev", "bw_min", "lat_ns"} <= set(d["jobs"][0]["write"])
    and abs(sum(sum(d["jobs"][0][k].values()) for k in ("latency_ns", "latency_us", "latency_ms")) - 100) < 0.01'
if command -v fio_jsonplus_clat2csv >/dev/null; then
    cp "$work/out" "$work/fio.json"
    fio_jsonplus_clat2csv "$work/fio.json" "$work/fio.csv" >"$work/out" 2>"$work/err" &&
        fio_jsonplus_clat2csv "$work/fio.json" "$work/fio.csv" --validate >"$work/out" 2>"$work/err"
    verdict $? 'a program of fio itself reads it, and finds its own numbers in it'
fi
try 'the doctor looks at a file' '[01]' ' load ' doctor "$file"
try 'the doctor wants a target' 64 'bench doctor TARGET' doctor
try 'a verb tells its words' 64 'bench show WORKLOAD' show
try 'the doctor wants something that is there' 66 'No such file\|no such file' doctor "$work/nothing"
try 'a host without free memory for the buffers is told so' 64 'buffers' "$file" -W sr-2m-seq -T 200 -Q 4000 \
    -t 0.05 --no-precondition --read-percent 100
# --foreground: else timeout signals its whole group, and a second interrupt ends the run at once
timeout --foreground 20 "$assay" bench -q "$file" -W sr-4k-rr-scale -Q 4 -t 15 -j >"$work/out" 2>"$work/err" &
sleep 1
kill -INT $!
wait $!
[ $? = 3 ]
verdict $? 'an interrupt ends it'
holds 'and keeps what was measured' \
    'd["facts"]["bench.end"]["value"] == "stopped" and d["tables"]["bench"][0]["read_count"] > 0'
# In whichever phase it comes: filling, preconditioning, measuring, verifying.
for delay in 0 0.1 0.3 0.6 1.1; do
    timeout --foreground 30 "$assay" bench -q "$file" -W sr-4k-rw-ss -t 0.3 --destroy-data file --verify -j \
        --stop-ios 3000 --state "$work/state$delay" >"$work/out" 2>"$work/err" &
    program=$!
    until [ -s "$work/state$delay" ] || ! kill -0 $program 2>/dev/null; do sleep 0.02; done
    sleep $delay
    kill -INT $program
    wait $program
    [ $? = 3 ]
    verdict $? "an interrupt $delay s after its begin ends it"
    holds 'and what was measured is there' 'd["facts"]["bench.end"]["value"] == "stopped"'
done
if [ -w /dev/full ]; then
    try 'an output that cannot be written is an error' 70 'No space left' "$file" -W sr-4k-rr-scale -Q 1 -t 0.05 \
        -o /dev/full
fi
echo "1..$number"
