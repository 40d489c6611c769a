# shellcheck shell=bash disable=SC2154
# What other programs say of the same drives in the same moment, for tests/peers/compare.py,
# which compares it with assay on the host.
folder=/exchange/peers

# said_by NAME COMMAND...: its output, whatever its exit status
said_by() {
	local name=$1

	shift
	busybox timeout 20 "$@" >"$folder/$drive/$name" 2>/dev/null </dev/null
}

ask_all() { # SD SG
	mkdir -p "$folder/$drive"
	said_by assay.json "$ASSAY" show -j -q "$2"
	said_by smartctl.json smartctl -x -j "$2"
	said_by sg_inq sg_inq "$2"
	said_by sg_readcap sg_readcap -l "$2"
	said_by sg_vpd sg_vpd -a "$2"
	said_by sg_logs sg_logs -a "$2"
	said_by sdparm sdparm --all --long "$2"
	[ "$1" = /dev/- ] || said_by hdparm hdparm -I "$1"
}

sg_of() { # SD
	local generic

	for generic in "/sys/block/${1#/dev/}/device/scsi_generic"/*; do
		echo "/dev/${generic##*/}"
	done
}

peers_are_asked_about_every_drive() {
	local file model

	for model in QEMU-AHCI QEMU-PIIX QEMU-VIRTIO QEMU-MPT; do
		drive=$model
		sd=$(node_of $model)
		ask_all "$sd" "$(sg_of "$sd")"
	done
	for file in "$LAB"/drives/*.capture "$LAB"/../../data/drives/*-worn.capture; do
		drive=$(basename "$file" .capture)
		plug d "$file"
		ask_all "$sd" "$sg"
		unplug d
	done
	drive=scsi_debug
	modprobe -r scsi_debug
	modprobe scsi_debug dev_size_mb=16 dif=1 dix=1
	until sd=$(node_of scsi_debug) && [ -b "$sd" ]; do sleep 0.05; done
	ask_all "$sd" "$(sg_of "$sd")"
	modprobe -r scsi_debug
	expect 'assay said something of each' test \
		"$(grep -l '"schema"' "$folder"/*/assay.json | wc -l)" = 12
}

run peers_are_asked_about_every_drive
