# shellcheck shell=bash disable=SC2034,SC2154
# The benchmark on the replayed drive: drives that are emptied first, and ones that spoil data.
bench() { # SECONDS OPTION...: on $sd
	local limit=$1

	shift
	assay "$limit" bench -q -j "$@" "$sd"
}
brief=(-W sr-4k-rr-scale -Q 1 -t 0.3)

plug_written() { # CAPTURE: a drive whose first MiB is not empty; sets serial
	plug it "$LAB/drives/$1.capture"
	assay 20 show -j "$sg"
	serial=$(jq -r '.facts["identity.serial"].value' "$out")
	busybox dd if=/dev/urandom of="$sd" bs=1M count=1 oflag=direct 2>/dev/null
	mark it
}

medium_is() { # empty|kept
	timed 10 dd if="$sd" of="$work/medium" bs=1M count=1 iflag=direct
	if busybox cmp -s -n 1048576 "$work/medium" /dev/zero; then
		[ "$1" = empty ] || fail 'the medium was emptied'
	else
		[ "$1" = kept ] || fail 'the medium is not empty'
	fi
}

a_scsi_drive_is_sanitized_before_the_run() {
	local method

	for method in sanitize-overwrite format; do
		plug_written sas
		control it purge takes_ms=1100
		bench 60 "${brief[@]}" --purge $method --destroy-data "$serial"
		expect_status 0
		expect_json ".facts[\"bench.purge\"].value == \"$method\"" \
			'.facts["bench.purge_seconds"].value >= 1.1' \
			'.facts["bench.end"].value == "complete"' '.tables.bench[0].read_count > 0'
		medium_is empty
		unplug it
	done
}

a_failed_sanitize_ends_the_run() {
	plug_written sas
	control it purge takes_ms=500 fails=1
	bench 60 "${brief[@]}" --purge sanitize-block --destroy-data "$serial"
	expect_status 2
	expect_err 'sanitize-block failed: .*[Ss]anitize command failed'
}

an_ata_drive_is_sanitized_or_erased_before_the_run() {
	local method

	for method in sanitize-crypto security-erase-enhanced; do
		plug_written sata
		control it poke identify 0 0 118 00 f0 # word 59: all ways of sanitizing
		control it poke identify 0 0 164 6b 34 # word 82: security
		control it poke identify 0 0 256 21 00 # word 128: with enhanced erase
		control it purge takes_ms=1100
		bench 60 "${brief[@]}" --purge $method --destroy-data "$serial"
		expect_status 0
		expect_json ".facts[\"bench.purge\"].value == \"$method\"" \
			'.tables.bench[0].read_count > 0'
		medium_is empty
		unplug it
	done
}

a_frozen_drive_is_left_as_it_is() {
	plug_written sata
	control it poke identify 0 0 118 00 f0
	control it poke identify 0 0 164 6b 34
	control it poke identify 0 0 256 29 00 # supported, enhanced, frozen
	control it purge takes_ms=500 frozen=1
	bench 60 "${brief[@]}" --purge security-erase --destroy-data "$serial"
	expect_status 77
	expect_err 'security is frozen'
	bench 60 "${brief[@]}" --purge sanitize-crypto --destroy-data "$serial"
	expect_status 77
	expect_err 'sanitize feature is frozen'
	control it poke identify 0 0 256 27 00 # with a password, and locked
	bench 60 "${brief[@]}" --purge security-erase --destroy-data "$serial"
	expect_status 77
	expect_err 'locked'
	journal it '(quiet|wakes) 85 .* f[1346] 00$' >"$work/sent"
	expect 'no security command was sent' test ! -s "$work/sent"
	medium_is kept
}

a_purge_wants_the_serial_number_and_a_whole_drive() {
	plug_written sas
	bench 60 "${brief[@]}" --purge sanitize-block
	expect_status 64
	expect_err 'destroy-data'
	bench 60 "${brief[@]}" --purge sanitize-block --destroy-data "${serial}X"
	expect_status 64
	bench 60 "${brief[@]}" --purge security-erase --destroy-data "$serial"
	expect_status 64
	expect_err 'of ATA drives'
	journal it '(quiet|wakes) 48 ' >"$work/sent"
	expect 'nothing was sanitized' test ! -s "$work/sent"
	medium_is kept
}

# A span of 16 blocks, one write after the other: the last one is spoiled.
spoiled() { # FAULT...
	plug_written sas
	control it fault "$@"
	bench 60 -W sr-4k-rw-ss --no-precondition -Q 1 -t 60 --span 64k --offset 4m --stop-ios 200 \
		--verify --destroy-data "$serial"
}

expect_verdicts() { # JQ-ARRAY: of the verdicts, sorted, each once
	expect_status 2
	expect_json "[.tables.bench_findings[].verdict] | unique == $1" \
		'.facts["bench.wrong_blocks"].value > 0' '.facts["bench.error_count"].value == 0'
}

a_flipped_bit_is_named() {
	spoiled flip=1000 op=2a after=199 count=1
	expect_verdicts '["corrupt"]'
	expect_json '.tables.bench_findings | length == 1'
}

a_lost_write_is_named() {
	# the whole span is written once, so what is missing was never there
	plug_written sas
	control it fault lost op=2a after=5 count=1
	bench 60 -W sr-4k-rw-ss --no-precondition -Q 1 -t 60 --span 256m --stop-ios 40 --verify \
		--destroy-data "$serial"
	expect_verdicts '["lost"]'
	expect_json '.tables.bench_findings | length == 8'
}

a_stale_block_is_named() {
	spoiled lost op=2a after=199 count=1
	expect_verdicts '["stale"]'
	expect_json '.tables.bench_findings | length == 8' \
		'[.tables.bench_findings[] | .expected_sequence - .found_sequence] | unique == [1]'
}

a_misdirected_write_is_named() {
	spoiled misdirect=64 op=2a after=199 count=1
	# where it came to, and where it is missing
	expect_verdicts '["misdirected","stale"]'
	expect_json '[.tables.bench_findings[] | select(.verdict == "misdirected") |
		.found_offset_bytes - .offset_bytes | if . < 0 then -. else . end] | unique == [32768]'
}

a_write_that_fails_is_an_error_and_nothing_is_expected_of_its_block() {
	spoiled sense=7/27/0 op=2a after=150 count=1
	expect_status 1
	expect_json '.facts["bench.end"].value == "complete"' \
		'.facts["bench.error_count"].value == 1' \
		'.tables.bench_faults | length == 1 and .[0].kind == "write" and .[0].count == 1' \
		'.facts["bench.wrong_blocks"].value == 0' '.facts["bench.verified_blocks"].value >= 120'
}

run a_scsi_drive_is_sanitized_before_the_run
run a_failed_sanitize_ends_the_run
run an_ata_drive_is_sanitized_or_erased_before_the_run
run a_frozen_drive_is_left_as_it_is
run a_purge_wants_the_serial_number_and_a_whole_drive
run a_flipped_bit_is_named
run a_lost_write_is_named
run a_stale_block_is_named
run a_misdirected_write_is_named
run a_write_that_fails_is_an_error_and_nothing_is_expected_of_its_block
