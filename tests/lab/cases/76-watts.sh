# shellcheck shell=bash disable=SC2034,SC2154
# assay power with a meter, and its load until the drive is warm.
a_thermal_run_says_where_heat_slows_the_drive_down() {
	plug thermal "$LAB/drives/sas.capture"
	control thermal speed latency_us=100000
	control thermal thermal now=40 rest=40 full=90 full_bytes_per_second=20000 tau_ms=15000 throttle=70 factor=0.4
	assay 120 power -q -j --thermal -W at-4k-rr --thermal-time 80 --settle 30 --cooling 3 \
		--meter const:4.5 "$sd"
	expect 'it ends by itself' test "$status" -le 1
	expect_json '.facts["bench.throttled"].value == true' \
		'.facts["bench.settled"].value == false' \
		'.facts["bench.throttle_celsius"].value | . >= 64 and . <= 76' \
		'[.notes[].text | select(test("heat slowed the drive down: at [67]"))] | length == 1' \
		'.tables.bench[0].average_watts | . > 4.49 and . < 4.51' \
		'.tables.bench[0].seconds < 75'
}

each_state_has_its_watts() {
	plug watts "$LAB/drives/sas.capture"
	assay 60 power -q -j -p states -s idle_a -n 2 --dwell 1.5 --state "$work/journal" \
		--meter 'cmd:while :; do echo 2.5; sleep 0.1; done' "$sd"
	expect_json '.tables.power_measured[0].average_watts | . > 2.49 and . < 2.51' \
		'.facts["bench.meter_alive"].value == true' \
		'[.tables.power_tries[].meter_coverage_percent] | all(. >= 90)'
}

run each_state_has_its_watts
run a_thermal_run_says_where_heat_slows_the_drive_down
