# shellcheck shell=bash disable=SC2034,SC2154
# assay power with a meter, and what verify says of the watts. The meter is the drive's own: it
# tells what it takes in the state, at the level and at the work that it is in.
# attempts: 2
# shellcheck source=tests/lab/verify.sh
. "$LAB/verify.sh"
cp -r "$LAB/../../data/workloads" "$work/data"

# What is measured at work begins at rest, so it is a little less.
#
# metered CAPTURE NAME=MILLIWATTS...: plugs it with its meter
metered() {
	local capture=$1

	shift
	plug m "$capture"
	control m speed latency_us=50000
	control m watts "$@"
	mark m # it has begun to tell
	meter=file:/run/lab/m/watts
}

# said FILE ID STATE PATTERN: by verify of these results
said() {
	assay 40 verify -q -j --results "$work/$1.json" "$sg"
	shift
	[ -z "$problem" ] || return
	expect_json "[.verdicts[] | select(.id == \"$1\").state] == [\"$2\"]" \
		".verdicts[] | select(.id == \"$1\") |
			[.reason, .found] | map(. // \"\") | join(\" \") | test(\"$3\")"
}

each_state_has_its_watts() {
	metered "$LAB/drives/sas.capture" idle=4100 work=6000 sleep=2500
	assay 60 power -q -j -p states -s idle_a -n 2 --dwell 1.5 --state "$work/journal" \
		--meter "$meter" "$sd"
	expect_json '.tables.power_measured[0].average_watts | . > 2.49 and . < 2.51' \
		'.facts["measured_power.idle_milliwatts"].value | . > 4090 and . < 4110' \
		'.facts["bench.meter_alive"].value == true' \
		'[.tables.power_tries[].meter_coverage_percent] | all(. >= 90)'
}

# The Ultrastar SSD800MM can be set to 11 and 9 W.
levels_on() { # NAME=MILLIWATTS...: of one that takes so much
	metered "$drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture" idle=4000 "$@"
	assay 60 power -q -j --parts levels -W at-4k-rr --level-time 2 --dwell 1.5 \
		--state "$work/journal" --meter "$meter" "$sd"
	cp "$out" "$work/result.json"
}

# near MILLIWATTS...: what was measured at each level; it begins and ends at rest
near() {
	expect_json ".tables.power_levels | map(.average_watts) | . as \$had | [$1, $2] |
		to_entries | all((\$had[.key] / .value - 1) * 1000 | . > -60 and . < 60)"
}

a_drive_that_takes_what_its_levels_say_passes() {
	levels_on level0=10800 level1=8700
	expect_status 0
	near 10.8 8.7
	expect_json '[.verdicts[] | [.id, .state]] == [["level.0", "pass"], ["level.1", "pass"]]' \
		'.tables.power_levels | map(.iops_per_watt) | all(. > 0)' \
		'.facts["measured_power.restored"].value'
	said result power.selectable_milliwatts pass 'W at the level of 11 W'
}

a_drive_that_takes_more_than_its_level_fails() {
	levels_on level0=13000 level1=8700
	expect_status 2
	near 13 8.7
	expect_json '[.verdicts[] | [.id, .state]] == [["level.0", "fail"], ["level.1", "pass"]]'
	said result power.selectable_milliwatts fail 'takes 1[23][.]. W .* set to 11 W'
	unplug m
	levels_on level0=10800 level1=10800 # it ignores the lower one
	said result power.selectable_milliwatts fail 'takes 1[01][.]. W .* set to 9 W'
}

# works CAPTURE WORKLOAD NAME=MILLIWATTS...: at rest, then at that work
works() {
	local capture=$1 workload=$2 serial

	shift 2
	metered "$capture" "$@"
	assay 20 show -q -j "$sg"
	serial=$(jq -r '.facts["identity.serial"].value' "$out")
	assay 60 power -q -j --parts link --gaps 1 -n 1 --dwell 3 --state "$work/journal" \
		--meter "$meter" "$sd"
	cp "$out" "$work/rest.json"
	assay 60 bench -q -j -W "$workload" -Q 2 -t 2 --no-precondition --destroy-data "$serial" \
		--meter "$meter" "$sd"
	cp "$out" "$work/work.json"
}

claims_of_power_of_the_CloudSpeed_Eco_are_judged() {
	works "$drives/sandisk-cloudspeed-eco-960gb-healthy.capture" sr-4k-rr-scale idle=2100 work=5100
	said rest power.idle_milliwatts pass '2[.]1 W'
	said work power.active_milliwatts pass 'claimed (4[.]|5)'
	unplug m
	works "$drives/sandisk-cloudspeed-eco-960gb-healthy.capture" sr-4k-rr-scale idle=2900 work=7000
	said rest power.idle_milliwatts fail '2.9 W'
	said work power.active_milliwatts marginal 'nearly [67]' # the claim is a typical value
}

claims_of_power_of_the_Lightning_are_judged() {
	works "$drives/sandisk-lightning-lb406s-healthy.capture" iom-database idle=3800 work=5700
	said rest power.idle_milliwatts pass '3.8 W'
	said work power.typical_milliwatts pass 'claimed 5[.]'
	unplug m
	works "$drives/sandisk-lightning-lb406s-healthy.capture" iom-database idle=4500 work=8000
	said rest power.idle_milliwatts fail '4.5 W'
	said work power.typical_milliwatts marginal 'nearly [78]' # typical, too
}

run each_state_has_its_watts
run a_drive_that_takes_what_its_levels_say_passes
run a_drive_that_takes_more_than_its_level_fails
run claims_of_power_of_the_CloudSpeed_Eco_are_judged
run claims_of_power_of_the_Lightning_are_judged
back_to_the_present
