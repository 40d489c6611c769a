# shellcheck shell=bash disable=SC2154
# Health in cron: few commands, in bounded time, and each drive's own state told apart.
# attempts: 2
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture
brought=$LAB/../../data/drives
# as on a local disk: the guest has the host's files over a network protocol
mkdir "$work/data"
cp -r "$LAB/../../data/specs" "$work/data/specs"
export ASSAY_DATA=$work/data
hgst=$brought/hgst-ultrastar-ssd800mm-800gb

verdicts() { # FILE: of a document, one a line
	jq -c '.verdicts[] | [.id, .state, .reason]' "$1"
}

# same_as_everything CAPTURE: check says of a drive what it says of all of its responses
same_as_everything() {
	plug d "$1"
	assay 20 check -j -q "$sg"
	verdicts "$out" >"$work/light"
	assay 20 capture -q -o "$work/everything" "$sg"
	expect_status 0
	assay 20 check -j -q "$work/everything"
	verdicts "$out" >"$work/all"
	expect 'there are verdicts' test "$(wc -l <"$work/all")" -gt 4
	diff "$work/all" "$work/light" >"$work/diff" ||
		fail "$(basename "$1"): $(grep '^[-+]\[' "$work/diff")"
	unplug d
}

fewer_responses_give_the_same_verdicts() {
	local file

	for file in "$sas" "$sata" "$brought"/*.capture; do
		same_as_everything "$file"
	done
}

commands() { # COMMAND...: sets sent, of the drive d
	local before

	mark d
	before=$(journal d ' (quiet|wakes) ' | grep -c .)
	timed 30 "$@"
	sent=$(($(journal d ' (quiet|wakes) ' | grep -c .) - before))
}

# in_pairs COUNT NODE: medians of the times of both, which run one after the other
in_pairs() {
	local i ours=() theirs=()

	for ((i = 0; i < $1; i++)); do
		timed 30 smartctl -x "$2"
		theirs+=("$took_ms")
		timed 30 "$ASSAY" check "$2"
		ours+=("$took_ms")
	done
	ours_ms=$(printf '%s\n' "${ours[@]}" | sort -n | sed -n "$(($1 / 2 + 1))p")
	theirs_ms=$(printf '%s\n' "${theirs[@]}" | sort -n | sed -n "$(($1 / 2 + 1))p")
}

# half_of_smartctl CAPTURE: in commands. The time of both of a drive that takes 100 ms for a command,
# and of ones that take 10 ms or none, is printed: the emulated processor has its share in it.
half_of_smartctl() {
	local ours_ms theirs_ms few many

	plug d "$1"
	commands smartctl -x "$sg"
	many=$sent
	commands "$ASSAY" check -v "$sg"
	few=$sent
	grep -q "^ *$few commands" "$out" || fail "not told as $few commands: $(cat "$out")"
	in_pairs 5 "$sg"
	echo "# $(basename "$1" .capture): $few of $many commands, $ours_ms of $theirs_ms ms"
	control d fault delay=10
	in_pairs 3 "$sg"
	echo "# of 10 ms each: $ours_ms of $theirs_ms ms"
	control d clear
	control d fault delay=100
	in_pairs 1 "$sg"
	control d clear
	echo "# of 100 ms each: $ours_ms of $theirs_ms ms"
	expect "$few commands, smartctl -x $many" test $((2 * few)) -le "$many"
	expect "$ours_ms ms, smartctl -x $theirs_ms" test "$ours_ms" -lt "$theirs_ms"
	unplug d
}

check_sends_half_of_what_smartctl_sends() {
	local file

	for file in "$hgst-worn.capture" "$sas" "$sata"; do
		half_of_smartctl "$file"
	done
}

a_quiet_check_asks_for_the_power_state_alone() {
	local file

	for file in "$sas" "$sata"; do
		plug d "$file"
		mark d
		assay 10 check -j -q --quiet-drives "$sg"
		expect_status 0
		expect_json '.facts["power.state"].value == "active"' \
			'.verdicts[0].state == "unknown"' \
			'.facts["identity.serial"].value != null'
		# REQUEST SENSE; CHECK POWER MODE
		expect "more was sent: $(journal d)" test \
			"$(journal d | grep -Ecv ' (03|85 .. .. .. .. .. .. .. .. .. .. .. .. .. e5) ')" = 0
		unplug d
	done
}

# told NODE JQ-EXPRESSION...: of one document among those of all drives
told() {
	local node=$1 expression

	shift
	for expression in "$@"; do
		expect_json "[.[] | select(.device.target == \"$node\")][0] | $expression"
	done
}

sixteen_drives_are_told_apart_within_the_time_limit() {
	local number nodes=() hung asleep gone failing alone

	for number in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
		sed "s/53 41 53 30 31$/53 41 53 3${number%?} 3${number#?}/
			s/50 00 c5 00 00 00 0a \\(0.\\)/50 00 c5 00 00 $number 0a \\1/g" \
			"$sas" >"$work/capture$number"
		plug "many$number" "$work/capture$number"
		nodes+=("$sg")
	done
	plug failing "$hgst-worn.capture"
	failing=$sg
	nodes+=("$sg")
	assay 60 check -j -q "${nodes[@]}"
	expect_json '[.[] | select(.error)] | length == 0'
	alone=$took_ms # what the emulated processor needs for it
	hung=${nodes[2]} asleep=${nodes[5]} gone=${nodes[8]}
	control many03 fault hang-forever
	control many06 state standby_z
	control many09 fault gone op=4d after=1
	mark many06
	assay 60 check -j -q -d 10 "${nodes[@]}"
	expect_within $((11000 + alone))
	expect_status 2
	expect_json 'length == 16' \
		'[.[] | select(.verdicts[0].state == "ok" and .error == null)] | length == 12' \
		'.[0].verdicts[0].state == "failing"'
	told "$failing" '.verdicts[0].state == "failing"' '.error == null'
	told "$hung" '.error.exit_status == 75' '.verdicts[0].state == "unknown"' \
		'.facts["identity.serial"].value | endswith("SAS03")'
	told "$asleep" '.facts["power.state"].value == "standby_z"' '.error == null' \
		'.verdicts[0].state == "unknown"' \
		'.verdicts[0].reason | startswith("asleep")'
	told "$gone" '.error.exit_status == 66'
	expect "woken by $(journal many06 ' wakes ' | head -n 1)" test -z \
		"$(journal many06 ' wakes ')"
	expect 'it still sleeps' test -z "$(journal many06 ' active ')"
	echo "# sixteen drives: $alone ms; with a dead one $took_ms ms, of which it was given 10000"
	control many03 clear
}

# One of them alone: the exit status tells which.
each_state_has_its_exit_status() {
	local alone

	plug d "$sas"
	assay 10 check "$sg"
	expect_status 0
	alone=$took_ms
	control d fault hang
	assay 10 check -d 2 "$sg"
	expect_status 75
	expect_within $((3000 + alone))
	control d clear
	control d state standby_z
	assay 10 check "$sg"
	expect_status 0
	expect_out 'asleep'
	control d state active
	control d temperature 75
	assay 10 check "$sg"
	expect_status 1
	control d fault gone
	assay 10 check "$sg"
	expect_status 66
	assay 10 check /dev/sg999
	expect_status 66
	plug bad "$hgst-worn.capture"
	assay 10 check "$sg"
	expect_status 2
}

who_may_not_is_told_so() {
	local command nobody=(/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups)

	plug d "$sas"
	chmod 600 "$sg" "$sd"
	for command in show check capture; do
		timed 10 "${nobody[@]}" "$ASSAY" $command -q "$sg"
		expect_status 77
	done
	timed 10 "${nobody[@]}" "$ASSAY" check -j -q "$sg"
	expect_json '.error.exit_status == 77' '.facts["identity.serial"].value != null'
}

run fewer_responses_give_the_same_verdicts
run check_sends_half_of_what_smartctl_sends
run a_quiet_check_asks_for_the_power_state_alone
run each_state_has_its_exit_status
run who_may_not_is_told_so
run sixteen_drives_are_told_apart_within_the_time_limit
