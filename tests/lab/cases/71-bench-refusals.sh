# shellcheck shell=bash disable=SC2034,SC2154
# What the benchmark does not write to: drives that somebody uses, or that hold something.
ahci=$(node_of QEMU-AHCI)
bench() { # SECONDS NODE OPTION...
	local limit=$1 node=$2

	shift 2
	assay "$limit" bench -q -j "$@" "$node"
}
reads() { bench 30 "$1" -W sr-4k-rr-scale -Q 4 -t 0.5; }
writes=(-W sr-4k-rw-ss --no-precondition -Q 4 -t 0.5)

modprobe -a ext4 2>/dev/null
a_file_system_wants_force() {
	timed 20 mkfs.ext4 -q -F "$ahci"
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI
	expect_status 77
	expect_err 'holds ext4: --force'
	reads "$ahci"
	expect_status 0
}

a_mounted_drive_is_refused_even_with_force() {
	mkdir -p "$work/mount"
	timed 10 mount -t ext4 "$ahci" "$work/mount"
	expect_status 0
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --force
	expect_status 77
	expect_err 'is mounted'
	umount "$work/mount"
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --force
	expect_status 0
}

swap_is_refused() {
	timed 10 mkswap "$ahci"
	expect_status 0
	timed 10 swapon "$ahci"
	expect_status 0
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --force
	expect_status 77
	expect_err 'is swapped to'
	swapoff "$ahci"
	timed 10 dd if=/dev/zero of="$ahci" bs=1M count=2 oflag=direct
}

a_drive_that_is_held_is_refused_even_with_force() {
	modprobe dm-mod
	timed 10 dmsetup create above --table "0 1000 linear $ahci 0"
	expect_status 0
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --force
	expect_status 77
	expect_err 'is (held by dm-0|in use)'
	dmsetup remove above
}

# The last sectors of an Intel RAID member (libblkid: isw_raid_member).
a_raid_member_is_refused_even_with_force() {
	printf 'Intel Raid ISM Cfg Sig. 1.3.00' >"$work/raid"
	busybox truncate -s 512 "$work/raid"
	timed 10 dd if="$work/raid" of="$ahci" bs=512 seek=131070 oflag=direct
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --force
	expect_status 77
	expect_err 'member of a RAID'
	timed 10 dd if=/dev/zero of="$ahci" bs=512 seek=131070 count=1 oflag=direct
}

a_partition_table_wants_force_and_a_mounted_partition_is_refused() {
	# one partition of type 83h, from block 2048 on, 100000 blocks
	{
		busybox head -c 446 /dev/zero
		printf '\0\0\0\0\203\0\0\0\0\010\0\0\240\206\001\0'
		busybox head -c 48 /dev/zero
		printf '\125\252'
	} >"$work/table"
	timed 10 dd if="$work/table" of="$ahci" bs=512 oflag=direct
	busybox blockdev --rereadpt "$ahci"
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI
	expect_status 77
	expect_err 'holds dos: --force'
	timed 20 mkfs.ext4 -q -F "${ahci}1"
	timed 10 mount -t ext4 "${ahci}1" "$work/mount"
	expect_status 0
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --force
	expect_status 77
	expect_err 'is mounted'
	umount "$work/mount"
	timed 10 dd if=/dev/zero of="$ahci" bs=1M count=4 oflag=direct
	busybox blockdev --rereadpt "$ahci" 2>/dev/null
}

run a_file_system_wants_force
run a_mounted_drive_is_refused_even_with_force
run swap_is_refused
if command -v dmsetup >/dev/null; then
	run a_drive_that_is_held_is_refused_even_with_force
else
	skip a_drive_that_is_held_is_refused_even_with_force 'no dmsetup'
fi
run a_raid_member_is_refused_even_with_force
run a_partition_table_wants_force_and_a_mounted_partition_is_refused
