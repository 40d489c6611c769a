# shellcheck shell=bash disable=SC2154
# The lab's own drive: what the other cases rely on, seen with others' tools.
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture

every_page_of_a_capture_is_answered() {
	plug d "$sas"
	timed 10 sg_logs -p 0x0e "$sg"
	expect_out 'Accumulated start-stop cycles = 42'
	timed 10 sg_modes -p 0x1a "$sg"
	expect_out '9a 26 00 06 00 00 00 14'
	timed 10 sg_vpd -p pc "$sg"
	expect_out 'Idle_b condition recovery time \(ms\) 300'
	timed 10 sg_opcodes -o 0x1b "$sg"
	expect_out 'Supported \(conforming to a standard\)|supported'
}

a_page_that_was_not_captured_is_refused() {
	plug d "$sas"
	timed 10 sg_logs -p 0x30 -H "$sg"
	expect_status 5
	timed 10 sg_raw -r 64 "$sg" 12 01 b7 00 40 00
	expect_status 5
}

an_answer_is_cut_to_the_allocation_length() {
	plug d "$sas"
	timed 10 sg_raw -r 8 -o "$work/page" "$sg" 4d 00 4e 00 00 00 00 00 08 00
	expect_status 0
	expect "eight bytes, not $(od -An -tx1 "$work/page")" \
		test "$(od -An -tx1 "$work/page")" = ' 0e 00 00 34 00 01 01 06'
}

the_medium_keeps_what_is_written() {
	plug d "$sas"
	head -c 1048576 /dev/urandom >"$work/data"
	timed 10 dd if="$work/data" of="$sd" bs=64k seek=100 oflag=direct
	timed 10 dd if="$sd" of="$work/back" bs=64k skip=100 count=16 iflag=direct
	expect_same "$work/data" "$work/back"
}

a_write_counts_in_every_counter() {
	plug d "$sas"
	control d counters
	timed 10 dd if=/dev/zero of="$sd" bs=64k count=16 oflag=direct
	timed 10 sg_logs -p 2 "$sg"
	expect_out 'Total bytes processed = 5000001048576'
	timed 10 sg_logs -p 0x19 "$sg"
	expect_out 'logical blocks received = 32048'
	plug e "$sata"
	control e counters unit_bytes=65536
	timed 10 dd if=/dev/zero of="$sd" bs=64k count=16 oflag=direct
	timed 10 smartctl -A -l devstat "$sg"
	expect_out 'Total_LBAs_Written .* 9000016$'
	expect_out ' 9002048 .*Logical Sectors Written'
}

a_bad_block_is_reported_with_its_address_and_heals_when_written() {
	plug d "$sas"
	control d bad 1000 8
	timed 10 sg_dd if="$sg" of=/dev/null bs=512 skip=996 count=8 blk_sgio=1
	timed 10 sg_verify -l 996 -c 8 "$sg"
	timed 10 sg_raw -v "$sg" 2f 00 00 00 03 e4 00 00 08 00
	expect 'the address' grep -Eq 'Info fld=0x3e8|Information: 0x.*3e8' "$err" "$out"
	timed 10 dd if=/dev/zero of="$sd" bs=512 seek=1000 count=8 oflag=direct
	timed 10 sg_verify -l 996 -c 16 "$sg"
	expect_status 0
}

mode_select_changes_what_is_changeable() {
	plug d "$sas"
	timed 10 sdparm --clear WCE "$sg"
	timed 10 sdparm --get WCE "$sg"
	expect_out 'WCE +0'
	timed 10 smartctl -g wcache "$sg"
	expect_out 'Writeback Cache is: *Disabled'
}

a_power_condition_is_entered_told_and_left() {
	plug d "$sas"
	control d recovery idle_b 400
	control d recovery stopped 400
	timed 10 sg_start --pc=2 --mod=1 "$sg"
	timed 10 sg_requests "$sg"
	expect_err 'Idle_b condition activated by command'
	timed 10 dd if="$sd" of=/dev/null bs=4k count=1 iflag=direct
	expect 'the first read waits' test "$took_ms" -ge 400
	timed 10 dd if="$sd" of=/dev/null bs=4k count=1 iflag=direct
	expect 'the second does not' test "$took_ms" -lt 350
	timed 10 sg_start --stop "$sg"
	timed 10 sg_turs -v "$sg"
	expect_status 2
	timed 10 sg_start --start "$sg"
	expect 'starting takes its time' test "$took_ms" -ge 400
	timed 10 sg_turs "$sg"
	expect_status 0
	timed 10 sg_logs -p 0x1a "$sg"
	expect_out 'transitions to idle_b = 5'
}

an_ata_drive_sleeps_and_says_so() {
	plug d "$sata"
	timed 10 hdparm -y "$sd"
	timed 10 hdparm -C "$sd"
	expect_out 'standby'
	# SET FEATURES, EPC, go to idle_b
	timed 10 sg_raw "$sg" 85 06 20 00 4a 00 82 00 01 00 00 00 00 40 ef 00
	timed 10 sg_raw -v "$sg" 85 06 20 00 00 00 00 00 00 00 00 00 00 40 e5 00
	expect_err 'count=0x82 '
}

a_timer_puts_the_drive_to_sleep() {
	plug d "$sas"
	control d timer idle_c 100
	sleep 0.2
	timed 10 sg_requests "$sg"
	expect_err 'Idle_c condition activated by timer'
}

the_journal_tells_what_wakes() {
	plug d "$sas"
	control d state standby_z
	control d recovery standby_z 0
	mark d
	timed 10 sg_inq "$sg"
	timed 10 sg_turs "$sg"
	expect 'neither wakes' test -z "$(journal d ' wakes ')"
	timed 10 sg_logs -p 0x0d "$sg"
	expect 'LOG SENSE wakes' test -n "$(journal d ' wakes 4d')"
}

the_temperature_rises_with_load_and_slows_the_medium() {
	plug d "$sas"
	control d thermal now=30 rest=30 full=80 full_bytes_per_second=1e6 tau_ms=200 \
		throttle=60 factor=0.2
	control d speed bytes_per_second=20e6
	timed 10 dd if=/dev/zero of="$sd" bs=512k count=3 oflag=direct
	local cool_ms=$took_ms
	for _ in 1 2 3 4; do
		timed 10 dd if=/dev/zero of="$sd" bs=512k count=3 oflag=direct
	done
	expect "slower when hot: $cool_ms ms, then $took_ms ms" \
		test "$took_ms" -gt $((2 * cool_ms))
	timed 10 sg_logs -p 0x0d "$sg"
	expect_out 'Current temperature = [678][0-9] C'
}

a_byte_of_a_page_is_poked_and_its_checksum_is_right() {
	plug d "$sata"
	control d poke smart 0 0 2 c5 # attribute 1 becomes 197
	timed 10 smartctl -A "$sg"
	expect_out '^197 Current_Pending_Sector .* 0$'
	expect 'no checksum error' sh -c "! grep -q 'invalid SMART checksum' '$out'"
}

run every_page_of_a_capture_is_answered
run a_page_that_was_not_captured_is_refused
run an_answer_is_cut_to_the_allocation_length
run the_medium_keeps_what_is_written
run a_write_counts_in_every_counter
run a_bad_block_is_reported_with_its_address_and_heals_when_written
run mode_select_changes_what_is_changeable
run a_power_condition_is_entered_told_and_left
run an_ata_drive_sleeps_and_says_so
run a_timer_puts_the_drive_to_sleep
run the_journal_tells_what_wakes
run the_temperature_rises_with_load_and_slows_the_medium
run a_byte_of_a_page_is_poked_and_its_checksum_is_right
