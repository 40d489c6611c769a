# shellcheck shell=bash disable=SC2034,SC2154
# What the cases of power have in common.
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture
levels=$LAB/drives/levels.capture
journal_file=$work/power.json

power() { # SECONDS NODE OPTION...
	local limit=$1 node=$2

	shift 2
	assay "$limit" power -q -j --state "$journal_file" --dwell 0.05 "$@" "$node"
}

# The drive's own word for each recovery, from the command to its answer: what was planted, and
# what the emulated host is late. What our figures differ from it is ours: in the median within
# 10 ms or 3 %.
as_the_drive_says() { # NAME
	journal "$1" ' recovered ' | awk '{ print "{\"state\": \"" $6 "\", \"us\":", $3, "}" }' \
		>"$work/own"
	jq -c --slurpfile own "$work/own" 'def median: sort | .[length / 2 | floor];
		[.tables.power_tries[] | select(.result == "measured")] | group_by(.state) | .[] |
		.[0].state as $state | { state: $state, n: length, ours: map(.recovery_us) | median,
			own: [$own[] | select(.state == $state).us] | median }' "$out" >"$work/medians"
	jq -r '"# \(.state), median of \(.n): \(.ours / 1000) ms, the drive says \(.own / 1000) ms"' \
		"$work/medians"
	jq -s -e 'length > 0 and
		all(.[]; (.ours - .own | fabs) <= ([10000, .own * 0.03] | max))' "$work/medians" \
		>"$work/judged" || fail "not as the drive says: $(cat "$work/medians")"
}

# within STATE MILLISECONDS: what was planted, but for what the emulated host is late
within() {
	jq -s -e "any(.[]; .state == \"$1\" and .own >= $2 * 1000)" "$work/medians" \
		>"$work/judged" || fail "$1 of $2 ms was not planted: $(cat "$work/medians")"
}

# restored CAPTURE-OF-MODE: the mode pages are as they were, and the journal is gone
restored() {
	expect 'the journal is gone' test ! -e "$journal_file"
	timed 10 sg_raw -r 512 "$sg" 5a 08 3f ff 00 00 00 02 00 00
	expect_same "$work/modes" "$err"
}
remember() {
	timed 10 sg_raw -r 512 "$sg" 5a 08 3f ff 00 00 00 02 00 00
	cp "$err" "$work/modes"
	expect 'the mode pages are read' test "$(wc -l <"$work/modes")" -gt 4
}
