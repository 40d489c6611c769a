# shellcheck shell=bash disable=SC2154
# The brought-along drives as drives: a healthy one is what its datasheet says.
# shellcheck source=tests/lab/verify.sh
. "$LAB/verify.sh"

healthy_drives_are_what_their_datasheets_say() {
	local drive

	for drive in "$drives"/*-healthy.capture; do
		verified "$drive"
		expect_status 0
		expect_only
		[ -z "$problem" ] || {
			problem="${drive##*/}: $problem"
			return
		}
	done
}

worn_drives_fail_where_they_are_worn() {
	verified "$drives/hgst-ultrastar-ssd800mm-800gb-worn.capture"
	expect_status 2
	expect_only 'fail endurance.rated_written_bytes' 'marginal endurance.rated_dwpd' \
		'marginal warranty.years'
	verified "$drives/sandisk-cloudspeed-eco-960gb-worn.capture"
	expect_status 2
	expect_only 'fail endurance.rated_written_bytes' 'marginal warranty.years'
}

a_used_drive_that_is_sold_as_new_is_told_apart() {
	plug d "$drives/sandisk-lightning-lb406s-healthy.capture"
	assay 40 verify -j -q --expect-new "$sg"
	expect_status 2
	expect_only 'fail new.unused'
}

scan_names_the_datasheet() {
	plug d "$drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture"
	assay 20 scan
	expect_status 0
	expect_out 'HUSMM8080ASS200 .* HGST Ultrastar SSD800MM$'
	assay 20 scan -j
	expect_json '[.[].facts["identity.datasheet"].value] |
		index(["HGST Ultrastar SSD800MM"]) != null'
}

run healthy_drives_are_what_their_datasheets_say
run worn_drives_fail_where_they_are_worn
run scan_names_the_datasheet
run a_used_drive_that_is_sold_as_new_is_told_apart
back_to_the_present
