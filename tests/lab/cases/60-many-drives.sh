# shellcheck shell=bash disable=SC2154
# Sixteen drives, one of which never answers: the others do not wait for it.
# attempts: 2
nodes=()
for number in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
	# a serial number and a name of its own: one drive on several paths is one drive
	sed "s/53 41 53 30 31$/53 41 53 3${number%?} 3${number#?}/
		s/50 00 c5 00 00 00 0a \\(0.\\)/50 00 c5 00 00 $number 0a \\1/g" \
		"$LAB/drives/sas.capture" >"$work/capture$number"
	plug "many$number" "$work/capture$number"
	nodes+=("$sg")
done
plugged_before=("${plugged[@]}")
plugged=()

# shows_fifteen: starts show of all and waits for the documents of fifteen; sets took_ms
shows_fifteen() {
	local began program

	: >"$work/many"
	now_ms
	began=$now
	"$ASSAY" show -j -q -t 20 "${nodes[@]}" >"$work/many" 2>"$err" &
	program=$!
	until [ "$(grep -c '"schema"' "$work/many")" -ge 15 ]; do
		sleep 0.1
		now_ms
		if [ $((now - began)) -gt 60000 ]; then
			fail "only $(grep -c '"schema"' "$work/many") of 15 within a minute"
			break
		fi
	done
	now_ms
	took_ms=$((now - began))
	# the rest is the dead drive's time limit
	kill $program
	wait $program 2>/dev/null
}

scan_takes_no_longer_with_a_dead_drive() {
	local alone

	assay 20 scan
	expect_status 0
	expect 'sixteen' test "$(grep -c 'REPLAYED SAS' "$out")" = 16
	alone=$took_ms
	control many07 fault hang
	assay 20 scan
	control many07 clear
	expect_status 0
	expect 'sixteen' test "$(grep -c 'REPLAYED SAS' "$out")" = 16
	echo "# sixteen drives: $alone ms, with a dead one $took_ms ms"
	expect_within $((alone + 1500))
}

show_of_the_others_takes_no_longer_with_a_dead_drive() {
	local alone

	shows_fifteen
	alone=$took_ms
	control many01 fault hang
	shows_fifteen
	control many01 clear
	expect_within $((alone + 1500)) # polled every 100 ms, on an emulated processor
	echo "# fifteen drives: $alone ms, beside a dead one $took_ms ms"
}

run scan_takes_no_longer_with_a_dead_drive
run show_of_the_others_takes_no_longer_with_a_dead_drive
for name in "${plugged_before[@]}"; do
	unplug "$name"
done
