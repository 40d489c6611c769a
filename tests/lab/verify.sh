# shellcheck shell=bash disable=SC2034,SC2154
# What the cases of assay verify share: the brought-along drives, at their time.
drives=$LAB/../../data/drives
# Each run reads the library: from memory it takes a tenth of the time that the host's folder does.
mkdir "$work/data"
cp -r "$LAB/../../data/specs" "$work/data/specs"
export ASSAY_DATA=$work/data

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

back_to_the_present() {
	date -s "@$((present + $(date +%s) - past))" >/dev/null
}
