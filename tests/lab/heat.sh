# shellcheck shell=bash disable=SC2034,SC2154
# Drives with a planted reason to slow down, or none, each with a load of 20 accesses a second:
# minutes and gigabytes of a real one are seconds and megabytes here. Runs go side by side, as
# the drives wait more than the emulated processor works.
#
# Warm drives: 62 °C at the beginning, half a degree a second more at 70 °C.
heat_seconds=52
warm='now=62.5 rest=40 full=90 tau_ms=45000'
cool='now=40 rest=35 full=52 tau_ms=30000'
reads=(-W sr-4k-rr-scale -Q 2)                 # 82 kB/s
writes=(-W at-4k-rw -Q 2 -b 64k --span 64m)    # 1.3 MB/s
at_reads='full_bytes_per_second=80000'
at_writes='full_bytes_per_second=1300000'

# Counts of 20 scatter by themselves: what is planted must stand out of ten of them. Where two
# steps do, they are twice as many.
declare -A thermal_of=(
	[steps]="$warm full_bytes_per_second=160000 now=60 full=95 throttle=70 factor=0.6 step=1 steps=2 hysteresis=5"
	[hysteresis]="$warm $at_reads throttle=70 factor=0.3 hysteresis=4"
	[unthrottled]="$warm $at_reads"
	[cliff]="$cool $at_writes"
	[sawtooth]="$cool $at_writes"
	[host]="$cool $at_reads"
	[quiet]="$cool $at_reads"
)
# 21 MB stand for a cache of 30 GB
declare -A pace_of=([cliff]='fast_bytes=21e6 fast_factor=0.4'
	[sawtooth]='cycle_bytes=9e6 cycle_factor=0.35')
declare -A cause_of=([steps]=thermal [hysteresis]=thermal [cliff]='cache exhausted'
	[sawtooth]='garbage collection' [host]='host load')

# planted MODEL NAME SEED: a drive of it; its speed has a deviation of 5 % from second to second
planted() {
	plug "$2" "$LAB/drives/sas.capture" || return
	control "$2" speed "latency_us=${4-100000}"
	control "$2" pace noise=0.05 "seed=$3" "${pace_of[$1]-}"
	control "$2" thermal "${thermal_of[$1]}"
}

# aside NAME ARGUMENT...: runs the program in the background; later: judged NAME
declare -A running
aside() {
	local name=$1

	shift
	busybox timeout -k 1 150 "$ASSAY" "$@" >"$work/$name.out" 2>"$work/$name.err" </dev/null &
	running[$name]=$!
}
# Waits for it, and sets out, err and status.
judged() { # NAME
	out=$work/$1.out err=$work/$1.err
	wait "${running[$1]}"
	status=$?
}

# A start of the program takes the emulated processor a second or more, which runs that go on already
# would rightly call a busy host: all loads of a set begin when the last program has started.
declare -A heat_of=()
set_of() { # COUNT: loads that are to come
	now_ms
	loads_begin=$((now + 2000 + 1600 * $1))
	heat_of=()
}

# load MODEL NAME SEED OPTION...: such a drive under its load
load() {
	local model=$1 name=$2 options=("${reads[@]}") wait_ms

	planted "$model" "$name" "$3"
	case $model in
	steps) options=(-W sr-4k-rr-scale -Q 4) ;;
	cliff | sawtooth) options=("${writes[@]}" --destroy-data "$serial") ;;
	esac
	shift 3
	now_ms
	wait_ms=$((loads_begin > now ? loads_begin - now : 0))
	aside "$name" bench -q -j "${options[@]}" --no-precondition -t $heat_seconds \
		--idle "$((wait_ms / 1000)).5" "$@" "$sd"
	heat_of[$name]=${thermal_of[$model]}
	sleep 0.7
}

# Waits until they begin, and gives the drives their temperatures then.
loads_begin() {
	local name

	now_ms
	[ "$now" -ge "$loads_begin" ] || sleep "$(((loads_begin - now) / 1000))"
	for name in "${!heat_of[@]}"; do
		control "$name" thermal "${heat_of[$name]}"
	done
}

serial=LABSAS01

# named MODEL: what was found in $out is what was planted
named() {
	local limits='. >= 68 and . <= 72'

	expect_status 0
	case $1 in
	steps | hysteresis)
		expect_json '.facts["bench.throttled"].value == true' \
			".facts[\"bench.throttle_celsius\"].value | $limits" \
			'.facts["bench.throttle_loss_percent"].value > 15'
		;;
	*) expect_json '.facts["bench.throttled"].value == false' ;;
	esac
	expect_json "[.tables.bench_slowdowns[]?.cause] | unique == ([\"${cause_of[$1]-}\"] - [\"\"])"
	[ -z "$problem" ] || jq -c '[.tables.bench_series[] | [.read_count + .write_count, .celsius,
		.taken_percent]], [.tables.bench_slowdowns[]?.evidence]' "$out"
}

# What ran side by side stays until all is judged.
plugged_at_once() {
	together=("${plugged[@]}")
	plugged=()
}
unplug_together() {
	local name

	for name in "${together[@]}"; do
		unplug "$name"
	done
}

# Others take the processor, for so many seconds, before all that is not as urgent.
steal() { # SECONDS
	local thieves=() i

	for i in 1 2 3; do
		nice -n -15 bash -c 'while :; do :; done' &
		thieves+=($!)
	done
	sleep "$1"
	kill "${thieves[@]}"
	wait "${thieves[@]}" 2>/dev/null
}
