# shellcheck shell=bash disable=SC2154
# Drives that are not of the lab's making: QEMU's behind libata and three host adapters, and the
# kernel's scsi_debug with every type of protection.

a_sata_drive_on_ahci_is_shown() {
	assay 10 show -j "$(node_of QEMU-AHCI)"
	expect_status 0
	expect_json \
		'.facts["identity.model"].value == "QEMU-AHCI"' \
		'.facts["identity.serial"].value == "LAB-AHCI"' \
		'.facts["identity.firmware"].value == "1.0"' \
		'.facts["identity.protocol"].value == "ata"' \
		'.facts["identity.wwn"].value == "0x5000c500a0000001"' \
		'.facts["identity.rotation_rpm"].value == 0' \
		'.facts["capacity.bytes"].value == 67108864' \
		'.facts["health.self_assessment"].value == "passed"' \
		'.facts["link.now_gbps"].value == 1.5' \
		'.tables.ata_attributes | length == 7'
}

a_sata_drive_on_ata_piix_is_shown() {
	assay 10 show -j "$(node_of QEMU-PIIX)"
	expect_status 0
	expect_json \
		'.facts["identity.model"].value == "QEMU-PIIX"' \
		'.facts["identity.rotation_rpm"].value == 7200' \
		'.facts["capacity.physical_block_bytes"].value == 4096' \
		'.facts["health.self_assessment"].value == "passed"' \
		'.facts["temperature.current_celsius"].value == 31' \
		'.tables.ata_attributes | length == 7'
}

a_scsi_drive_on_virtio_is_shown() {
	assay 10 show -j "$(node_of QEMU-VIRTIO)"
	expect_status 0
	expect_json \
		'.facts["identity.vendor"].value == "LAB"' \
		'.facts["identity.serial"].value == "LAB-VIRTIO"' \
		'.facts["identity.protocol"].value == "scsi"' \
		'.facts["identity.rotation_rpm"].value == 10500' \
		'.facts["capacity.logical_block_bytes"].value == 4096' \
		'.facts["capacity.bytes"].value == 67108864' \
		'.facts["temperature.current_celsius"] == null'
}

a_sas_drive_on_mptsas_is_shown() {
	assay 10 show -j "$(node_of QEMU-MPT)"
	expect_status 0
	expect_json \
		'.facts["identity.serial"].value == "LAB-MPT"' \
		'.facts["identity.wwn"].value == "0x5000c500a0000004"' \
		'.facts["identity.transport"].value == "sas"' \
		'.facts["link.now_gbps"].value == 3'
}

scan_lists_them_all() {
	assay 10 scan -j
	expect_status 0
	expect_json '[.. | .model? // empty] |
		contains(["QEMU-AHCI", "QEMU-PIIX", "QEMU-VIRTIO", "QEMU-MPT"])'
}

# Loads scsi_debug and sets sd and sg.
debug_drive() { # OPTION...
	local tries=0

	modprobe -r scsi_debug
	modprobe scsi_debug dev_size_mb=16 "$@"
	until sd=$(node_of scsi_debug) && [ -b "$sd" ]; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || {
			fail 'scsi_debug has no disk'
			return 1
		}
		sleep 0.05
	done
	for sg in "/sys/block/${sd#/dev/}/device/scsi_generic"/*; do
		sg=/dev/${sg##*/}
	done
}
debug_set() { # NAME VALUE
	echo "$2" >"/sys/bus/pseudo/drivers/scsi_debug/$1"
}

protection_types_are_told() {
	local type

	for type in 0 1 2 3; do
		debug_drive dif=$type dix=$((type > 0))
		assay 10 show -j "$sg"
		expect_status 0
		if [ $type = 0 ]; then
			expect_json '.facts["protection.capable"].value == false'
		else
			expect_json \
				'.facts["protection.capable"].value == true' \
				".facts[\"protection.type_now\"].value == $type" \
				'.facts["protection.interval_bytes"].value == 512' \
				'.facts["protection.host_dix"].value | test("T10-DIF")'
		fi
	done
}

blocks_of_4096_bytes_are_counted_right() {
	debug_drive sector_size=4096
	assay 10 show -j "$sd"
	expect_json \
		'.facts["capacity.logical_block_bytes"].value == 4096' \
		'.facts["capacity.bytes"].value == 16777216' \
		'.facts["temperature.current_celsius"].value == 38' \
		'.facts["temperature.limit_celsius"].value == 65'
}

recovered_errors_are_answers() {
	debug_drive
	debug_set opts 8
	debug_set every_nth 1
	assay 20 show -j "$sg"
	debug_set every_nth 0
	expect_status 0
	expect_json '.facts["temperature.current_celsius"].value == 38'
}

# What is known is what the healthy drive said: $work/whole.
nothing_false() {
	jq -n 'input as $whole | input as $part | [$part.facts | to_entries[] |
		select(.value.state == "known" and
			.value.value != $whole.facts[.key].value) | .key]' \
		"$work/whole" "$out" >"$work/false"
	expect "false values: $(cat "$work/false")" grep -qx '\[\]' "$work/false"
}

transport_errors_end_in_time_and_tell_nothing_false() {
	debug_drive
	assay 10 show -j "$sg"
	cp "$out" "$work/whole"
	debug_set opts 16
	debug_set every_nth 2
	assay 40 show -j "$sg"
	debug_set every_nth 0
	expect_within 30000
	nothing_false
}

errors_of_the_medium_are_none_of_the_pages() {
	local kind

	debug_drive dif=1 dix=1
	assay 10 show -j "$sg"
	cp "$out" "$work/whole"
	for kind in 2 32 64; do # unreadable blocks, DIF errors, DIX errors
		debug_set opts $kind
		debug_set every_nth 1
		dd if="$sd" of=/dev/null bs=512 skip=$((0x1234)) count=1 iflag=direct 2>/dev/null &&
			fail "opts $kind: the block can be read"
		assay 20 show -j "$sg"
		debug_set every_nth 0
		debug_set opts 0
		expect_status 0
		nothing_false
	done
}

a_command_that_is_never_answered_costs_its_time_limit() {
	debug_drive
	debug_set opts 4
	debug_set every_nth -1
	assay 60 show -j -t 2 "$sg"
	debug_set every_nth 0
	debug_set opts 0
	expect_within 25000
}

short_transfers_make_no_false_values() {
	debug_drive
	assay 10 show -j "$sg"
	cp "$out" "$work/whole"
	debug_set opts 0x100
	debug_set every_nth 1
	assay 20 show -j "$sg"
	debug_set every_nth 0
	nothing_false
}

run a_sata_drive_on_ahci_is_shown
run a_sata_drive_on_ata_piix_is_shown
run a_scsi_drive_on_virtio_is_shown
run a_sas_drive_on_mptsas_is_shown
run scan_lists_them_all
run protection_types_are_told
run blocks_of_4096_bytes_are_counted_right
run recovered_errors_are_answers
run transport_errors_end_in_time_and_tell_nothing_false
run errors_of_the_medium_are_none_of_the_pages
run a_command_that_is_never_answered_costs_its_time_limit
run short_transfers_make_no_false_values
modprobe -r scsi_debug
