# shellcheck shell=bash disable=SC2034,SC2154
# Temperature beside a benchmark: drives with a planted reason to slow down, all at once.
# attempts: 2
# shellcheck source=tests/lab/heat.sh
. "$LAB/heat.sh"
readings='[.tables.bench_temperature[] | select(.phase == "measure")]'

begin_all() {
	set_of 9
	# this one ends behind the others, and the next two before they begin
	planted steps thermal 17
	aside thermal power -q -j --thermal -W at-4k-rr --thermal-time 80 --settle 30 \
		--cooling 25 --meter const:4.5 "$sd"

	plug stop "$LAB/drives/sas.capture"
	control stop speed latency_us=100000
	control stop thermal now=45 rest=40 full=90 full_bytes_per_second=40000 tau_ms=10000
	aside stop bench -q -j "${reads[@]}" -t 40 --stop-celsius 55 "$sd"

	plug sata "$LAB/drives/sata.capture"
	control sata speed latency_us=100000
	control sata temperature 47
	aside sata bench -q -j "${reads[@]}" -t 12 "$sd"

	load steps steps 11 --cooling 6
	load hysteresis hysteresis 12
	load unthrottled unthrottled 13
	load cliff cliff 14
	load sawtooth sawtooth 15
	load quiet quiet 16
	loads_begin
	mark steps
	plugged_at_once
}

throttling_at_70_C_in_steps_is_found() {
	judged steps
	named steps
	expect_json \
		'.facts["bench.thermometer"].value | test("^log page 0Dh")' \
		"$readings | length > 30" \
		"$readings | all(.disturbed == false)" \
		'.facts["bench.throttle_seconds"].value | . >= 8 and . <= 30' \
		'[.tables.bench_temperature[] | select(.phase == "cooling")] | length >= 5' \
		'.facts["bench.cooled_celsius"].value >= 1'
	# one LOG SENSE each second, and nothing else that the drive would have to answer
	expect 'LOG SENSE at most each second' test "$(journal steps ' 4d ' | wc -l)" -le 80
}

throttling_with_hysteresis_is_found() {
	judged hysteresis
	named hysteresis
}

a_drive_that_gets_as_hot_and_stays_fast_is_not_said_to_throttle() {
	judged unthrottled
	named unthrottled
	expect_json '.facts["bench.highest_celsius"].value > 75' \
		'.facts["bench.over_limit_seconds"].value > 5'
}

a_full_cache_is_told_from_heat() {
	judged cliff
	named cliff
	expect_json '.tables.bench_slowdowns[0].written_bytes / 21e6 | . > 0.9 and . < 1.15'
}

garbage_collection_is_told_from_heat() {
	judged sawtooth
	named sawtooth
}

nothing_is_found_where_nothing_was_planted() {
	judged quiet
	named quiet
}

a_thermal_run_says_where_heat_slows_the_drive_down() {
	judged thermal
	expect 'it ends by itself' test "$status" -le 1
	expect_json '.facts["bench.throttled"].value == true' \
		'.facts["bench.settled"].value == false' \
		'.facts["bench.throttle_celsius"].value | . >= 68 and . <= 72' \
		'[.notes[].text | select(test("heat slowed the drive down: at (6[89]|7[012]) "))] | length == 1' \
		'.tables.bench[0].average_watts | . > 4.49 and . < 4.51' \
		'.tables.bench[0].seconds < 75'
}

a_run_ends_at_its_stop_temperature() {
	judged stop
	expect_status 1
	expect_json '.facts["bench.end"].value == "at a limit"' \
		'.tables.bench[0].seconds < 30' \
		'.facts["bench.highest_celsius"].value | . >= 55 and . <= 62'
}

a_sata_drive_is_read_each_ten_seconds_and_it_is_marked() {
	judged sata
	expect_status 0
	expect_json \
		"$readings | length >= 1 and length <= 2" \
		"$readings | all(.disturbed and .celsius == 47)" \
		'[.tables.bench_series[] | select(.disturbed)] | length >= 1 and length <= 2'
}

a_busy_host_is_told_from_the_drive() {
	planted host host 18 20000
	aside host bench -q -j "${reads[@]}" -t 44 "$sd"
	sleep 14
	steal 8
	sleep 6
	steal 8
	judged host
	named host
}

begin_all
run a_sata_drive_is_read_each_ten_seconds_and_it_is_marked
run a_run_ends_at_its_stop_temperature
run throttling_at_70_C_in_steps_is_found
run throttling_with_hysteresis_is_found
run a_drive_that_gets_as_hot_and_stays_fast_is_not_said_to_throttle
run a_full_cache_is_told_from_heat
run garbage_collection_is_told_from_heat
run nothing_is_found_where_nothing_was_planted
run a_thermal_run_says_where_heat_slows_the_drive_down
unplug_together
run a_busy_host_is_told_from_the_drive
