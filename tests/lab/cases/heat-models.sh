# shellcheck shell=bash disable=SC2034,SC2154
# Each planted model many times, each with other noise: how often it is named. Only where it is
# named, as it takes long: LAB_RUNS runs (20) from seed LAB_FIRST (1) on, some side by side.
# shellcheck source=tests/lab/heat.sh
. "$LAB/heat.sh"
models=(steps hysteresis unthrottled cliff sawtooth quiet)
side_by_side=2
declare -A named_of=() hot_of=()

count() { # MODEL SEED: judges the run of that name
	problem=
	judged "$1-$2"
	named "$1" >"$work/told"
	if [ -z "$problem" ]; then
		named_of[$1]=$((${named_of[$1]-0} + 1))
	else
		echo "# $1, seed $2: $problem"
		sed 's/^/# /' "$work/told"
	fi
	hot_of[$1]+=" $(jq '.facts["bench.throttle_celsius"].value // empty' "$out")"
}

told() { # MODEL
	echo "# $1: ${named_of[$1]-0} of $runs named$([ -z "${hot_of[$1]// /}" ] ||
		tr ' ' '\n' <<<"${hot_of[$1]}" | grep . | sort -n | uniq -c |
		awk '{ printf ", %d at %s °C", $1, $2 }')"
	[ "${named_of[$1]-0}" = "$runs" ] || wrong="$wrong $1"
}

batch() { # SEED...
	local seed model

	set_of $((${#models[@]} * $#))
	for seed; do
		for model in "${models[@]}"; do
			load "$model" "$model-$seed" "$seed"
		done
	done
	loads_begin
	for seed; do
		for model in "${models[@]}"; do
			count "$model" "$seed"
		done
	done
}

hosts() { # SEED...: the host is busy for all of them
	local seed

	for seed; do
		planted host "host-$seed" "$seed" 50000
		aside "host-$seed" bench -q -j "${reads[@]}" -t 48 "$sd"
	done
	sleep 14
	steal 9
	sleep 7
	steal 9
	for seed; do
		count host "$seed"
	done
}

# in_batches COMMAND SIZE: all seeds, so many at a time
in_batches() {
	local seed name

	for ((seed = first; seed < first + runs; seed += $2)); do
		# shellcheck disable=SC2046 # numbers
		"$1" $(seq "$seed" $((seed + $2 < first + runs ? seed + $2 - 1 : first + runs - 1)))
		for name in "${plugged[@]}"; do
			unplug "$name"
		done
	done
}

runs=${LAB_RUNS:-20} first=${LAB_FIRST:-1} wrong=

each_model_is_named_in_every_run() {
	local model

	in_batches batch $side_by_side
	in_batches hosts 5
	problem=
	for model in "${models[@]}" host; do
		told "$model"
	done
	expect "not always named:$wrong" test -z "$wrong"
}

run each_model_is_named_in_every_run
