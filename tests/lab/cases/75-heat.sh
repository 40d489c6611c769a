# shellcheck shell=bash disable=SC2034,SC2154
# Temperature beside a benchmark, on a drive that warms up with its load and slows down when hot.
heat() { # SECONDS OPTION...
	local limit=$1

	shift
	assay "$limit" bench -q -j -W sr-4k-rr-scale -Q 4 "$@" "$sd"
}
readings='[.tables.bench_temperature[] | select(.phase == "measure")]'

# It warms by 2 °C a second where it begins to slow down, and is read each second at best.
a_drive_that_slows_down_when_hot_is_found_to() {
	plug hot "$LAB/drives/sas.capture"
	control hot speed latency_us=100000
	control hot thermal now=40 rest=40 full=90 full_bytes_per_second=40000 tau_ms=15000 throttle=70 factor=0.3
	mark hot
	heat 100 -t 44 --cooling 6
	expect_status 0
	expect_json \
		'.facts["bench.thermometer"].value | test("^log page 0Dh")' \
		"$readings | length > 30" \
		"$readings | all(.disturbed == false)" \
		'.facts["bench.throttled"].value == true' \
		'.facts["bench.throttle_celsius"].value | . >= 64 and . <= 76' \
		'.facts["bench.throttle_seconds"].value | . >= 8 and . <= 30' \
		'.facts["bench.throttle_loss_percent"].value > 30' \
		'[.tables.bench_slowdowns[].cause] | unique == ["thermal"]' \
		'.facts["bench.highest_celsius"].value >= 69' \
		'[.tables.bench_temperature[] | select(.phase == "cooling")] | length >= 5' \
		'.facts["bench.cooled_celsius"].value >= 1'
	# one LOG SENSE each second, and nothing else that the drive would have to answer
	expect 'LOG SENSE at most each second' test "$(journal hot ' 4d ' | wc -l)" -le 90
}

a_drive_that_gets_as_hot_and_stays_fast_is_not() {
	plug warm "$LAB/drives/sas.capture"
	control warm speed latency_us=100000
	control warm thermal now=40 rest=40 full=90 full_bytes_per_second=40000 tau_ms=15000
	heat 80 -t 43
	expect_status 0
	expect_json \
		'.facts["bench.throttled"].value == false' \
		'[.tables.bench_slowdowns[]? | select(.cause == "thermal")] | length == 0' \
		'.facts["bench.highest_celsius"].value > 75' \
		'.facts["bench.over_limit_seconds"].value > 5'
}

a_run_ends_at_its_stop_temperature() {
	plug stop "$LAB/drives/sas.capture"
	control stop speed latency_us=100000
	control stop thermal now=40 rest=40 full=90 full_bytes_per_second=40000 tau_ms=10000
	heat 60 -t 40 --stop-celsius 55
	expect_status 1
	expect_within 30000
	expect_json '.facts["bench.end"].value == "at a limit"' \
		'.facts["bench.highest_celsius"].value | . >= 55 and . <= 62'
}

a_sata_drive_is_read_each_ten_seconds_and_it_is_marked() {
	plug sata "$LAB/drives/sata.capture"
	control sata speed latency_us=100000
	control sata temperature 47
	mark sata
	heat 60 -t 14
	expect_status 0
	expect_json \
		"$readings | length >= 1 and length <= 2" \
		"$readings | all(.disturbed and .celsius == 47)" \
		'[.tables.bench_series[] | select(.disturbed)] | length >= 1 and length <= 2'
}

run a_drive_that_slows_down_when_hot_is_found_to
run a_drive_that_gets_as_hot_and_stays_fast_is_not
run a_run_ends_at_its_stop_temperature
run a_sata_drive_is_read_each_ten_seconds_and_it_is_marked
