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

# within STATE MILLISECONDS: its recovery was measured within 10 ms or 3 %: the median, or
# the shortest, for a busy host only adds to what was planted
within() {
	expect_json ".tables.power_measured[] | select(.state == \"$1\") |
		[.recovery_us, .minimum_us] | any((. / 1000 - $2 | fabs) < ([10, $2 * 0.03] | max))"
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
