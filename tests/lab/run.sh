#!/bin/bash
# The lab: boots one guest with Debian's kernel and emulated drives, runs the cases in it
# against real /dev/sdX and /dev/sgN, and prints what they found as TAP.
#
# usage: run.sh [ASSAY] [CASE...]     ASSAY: the program, build/assay; CASE: as 40-faults
# ASSAY_LAB_CACHE: where kernel and results are kept (build/lab)
# ASSAY_LAB_SECONDS: how long all of it may take (1800)
# ASSAY_LAB_REQUIRED=1: a lab that cannot run here is a failure, not a skip
# CC, CFLAGS: for the replayed drive
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
export ASSAY_LAB_CACHE=${ASSAY_LAB_CACHE:-$top/build/lab}
limit=${ASSAY_LAB_SECONDS:-1800}

cd "$top"
assay=$(realpath -m "${1:-build/assay}")
[ $# -eq 0 ] || shift

cannot() {
	if [ "${ASSAY_LAB_REQUIRED-}" = 1 ]; then
		echo '1..1'
		echo "not ok 1 - the lab runs"
		echo "# $1"
		exit 1
	fi
	echo "1..0 # SKIP the lab cannot run here: $1"
	exit 0
}

boot=
clean_up() {
	[ -z "$boot" ] || kill "$boot" 2>/dev/null || :
	[ -z "$own_proc" ] || umount /proc || :
}
own_proc=
trap clean_up EXIT
# QEMU shares folders by way of /proc, which a bare chroot lacks.
if [ ! -e /proc/self/fd ]; then
	mount -t proc proc /proc 2>/dev/null || cannot '/proc is not mounted'
	own_proc=yes
fi

mkdir -p "$ASSAY_LAB_CACHE"
exec 9>"$ASSAY_LAB_CACHE/lock" # one lab at a time: they share the results
flock 9
reason=$("$here/setup.sh") || {
	status=$?
	[ $status = 77 ] && cannot "$(echo "$reason" | tail -n 1)"
	exit $status
}
results=$ASSAY_LAB_CACHE/results
rm -rf "$results"
mkdir -p "$results"
: >"$results/stdout"
"$here/build.sh" "$ASSAY_LAB_CACHE/lab-drive"

disks=()
disk() { # NAME: an empty medium
	truncate -s 64M "$ASSAY_LAB_CACHE/$1.img"
	disks+=(-q "-drive file=$ASSAY_LAB_CACHE/$1.img,format=raw,if=none,id=$1")
}
plug() { # QEMU DEVICE
	disks+=(-q "-device $1")
}
for name in ahci piix virtio mpt; do
	rm -f "$ASSAY_LAB_CACHE/$name.img"
	disk $name
done
plug 'ide-hd,drive=ahci,bus=ide.0,model=QEMU-AHCI,serial=LAB-AHCI,ver=1.0,rotation_rate=1,wwn=0x5000c500a0000001'
plug 'piix4-ide,id=pata'
plug 'ide-hd,drive=piix,bus=pata.0,model=QEMU-PIIX,serial=LAB-PIIX,rotation_rate=7200,physical_block_size=4096,wwn=0x5000c500a0000002'
plug 'virtio-scsi-pci,id=vscsi'
plug 'scsi-hd,drive=virtio,bus=vscsi.0,vendor=LAB,product=QEMU-VIRTIO,serial=LAB-VIRTIO,rotation_rate=10500,wwn=0x5000c500a0000003,logical_block_size=4096,physical_block_size=4096'
plug 'mptsas1068,id=msas'
plug 'scsi-hd,drive=mpt,bus=msas.0,vendor=LAB,product=QEMU-MPT,serial=LAB-MPT,wwn=0x5000c500a0000004,port_wwn=0x5000c500a0000005'

started=$(date +%s)
"$here/boot.sh" -t "$limit" "${disks[@]}" "$results" \
	bash "$here/inside.sh" "$assay" "$@" 2>"$results/boot" &
boot=$!

# What the guest prints, while it prints it; then what only shows when it has ended.
told() {
	local status

	tail -n +1 -s 0.2 -f --pid "$boot" "$results/stdout"
	status=$(cat "$results/exit" 2>/dev/null || echo unknown)
	case $status in
	0 | 1) ;;
	*)
		echo "not ok - the guest runs to its end"
		echo "# it ended with $status (124: the limit of $limit s passed)"
		tail -q -n 20 "$results/qemu" "$results/stderr" "$results/console" 2>/dev/null |
			sed 's/^/# /'
		;;
	esac
	[ ! -d "$results/peers" ] || "$here/../peers/compare.py" "$results/peers" 2>&1 || :
	[ ! -d "$results/json" ] ||
		"$here/../golden/schema.py" 1 "$results"/json/*.json 2>&1 |
		sed -E 's/^((not )?ok) [0-9]+ - /\1 - /'
}

# Numbers the tests.
report() {
	local line number=0 failed=0

	while IFS= read -r line; do
		case $line in
		'ok - '* | 'not ok - '*)
			number=$((number + 1))
			[ "${line#not}" = "$line" ] || failed=$((failed + 1))
			line="${line%% - *} $number - ${line#* - }"
			;;
		esac
		printf '%s\n' "$line"
	done
	echo "1..$number"
	echo "# lab: $number tests, $failed failed, $(($(date +%s) - started)) s"
	[ $failed = 0 ] && [ $number -gt 0 ]
}
told | report
