# shellcheck shell=bash disable=SC2034,SC2154
# assay power with a meter.
each_state_has_its_watts() {
	plug watts "$LAB/drives/sas.capture"
	assay 60 power -q -j -p states -s idle_a -n 2 --dwell 1.5 --state "$work/journal" \
		--meter 'cmd:while :; do echo 2.5; sleep 0.1; done' "$sd"
	expect_json '.tables.power_measured[0].average_watts | . > 2.49 and . < 2.51' \
		'.facts["bench.meter_alive"].value == true' \
		'[.tables.power_tries[].meter_coverage_percent] | all(. >= 90)'
}

run each_state_has_its_watts
