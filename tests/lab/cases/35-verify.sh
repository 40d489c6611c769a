# shellcheck shell=bash disable=SC2154
# The brought-along drives as drives: a healthy one is what its datasheet says, and one that lies
# fails in just that.
drives=$LAB/../../data/drives
export ASSAY_DATA=$LAB/../../data

# The drives are ten years old, and so is their warranty: for them it is the day of a capture.
present=$(date +%s)
past=$(date -d '2015-09-14 12:00:00' +%s)
date -s "@$past" >/dev/null

# verified CAPTURE: what assay says of it as a drive, in $out
verified() {
	plug d "$1"
	assay 40 verify -j -q "$sg"
	unplug d
	expect_json '.notes | tostring | test("not a recording") | not' '.verdicts | length > 8'
}

# Only these verdicts are beside "pass" and what cannot be told here.
expect_only() { # "STATE ID"...
	jq -r '.verdicts[] | select(.state == "fail" or .state == "marginal" or
		.state == "conflict") | "\(.state) \(.id)"' "$out" >"$work/said"
	printf '%s\n' "$@" >"$work/wanted"
	[ $# -gt 0 ] || : >"$work/wanted"
	expect_same "$work/said" "$work/wanted"
}

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

each_lie_gives_its_own_failure_and_no_other() {
	local name verdict lies=0

	/usr/bin/python3 "$LAB/lies.py" "$drives" "$work/lies" >"$work/list" 2>"$err" ||
		fail "no lies: $(head -c 300 "$err")"
	while read -r name verdict; do
		verified "$work/lies/$name.capture"
		expect_status 2
		expect_only "fail $verdict"
		[ -z "$problem" ] || {
			problem="$name: $problem"
			return
		}
		lies=$((lies + 1))
	done <"$work/list"
	expect "$lies lies, not 16" test "$lies" = 16
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
run each_lie_gives_its_own_failure_and_no_other
run scan_names_the_datasheet
run a_used_drive_that_is_sold_as_new_is_told_apart
date -s "@$((present + $(date +%s) - past))" >/dev/null
