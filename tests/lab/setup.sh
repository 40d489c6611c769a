#!/bin/bash
# Gets what the lab needs and keeps it in the cache folder: Debian's kernel (unpacked, never
# installed) and a small initramfs. Does nothing where all of that is there already.
#
# usage: setup.sh
# ASSAY_LAB_CACHE: the cache folder (build/lab). Exit status 77: the lab cannot run here; the
# last line on standard output says why.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${ASSAY_LAB_CACHE:-$here/../../build/lab}
PATH=$PATH:/usr/sbin:/sbin

cannot() {
	echo "$1"
	exit 77
}

# Programs of the host and of the guest (which sees the host's files), and their packages.
programs='
qemu-system-x86_64 qemu-system-x86
modprobe kmod
busybox busybox-static
cpio cpio
xz xz-utils
dpkg-deb dpkg
jq jq
smartctl smartmontools
sg_inq sg3-utils
hdparm hdparm
sdparm sdparm
python3 python3
cc gcc
'
missing=
while read -r program package; do
	[ -z "$program" ] || command -v "$program" >/dev/null || missing="$missing $package"
done <<<"$programs"
[ -e /usr/include/linux/target_core_user.h ] || missing="$missing linux-libc-dev"

updated=
update() {
	[ -n "$updated" ] || apt-get update -qq >&2 || cannot 'apt-get update failed'
	updated=yes
}

case $(uname -m) in
x86_64) ;;
*) cannot "the guest is an x86-64 machine, this one is $(uname -m)" ;;
esac
if [ -n "$missing" ]; then
	[ "$(id -u)" = 0 ] || cannot "not installed:$missing (apt-get install$missing)"
	command -v apt-get >/dev/null || cannot "not installed:$missing"
	update
	# shellcheck disable=SC2086 # a list of packages
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		$missing >&2 || cannot "apt-get install$missing failed"
fi

mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
stamp=$(cat "$here/setup.sh" "$here/init.sh" | cksum | tr ' ' -)
[ "$(cat "$cache/stamp" 2>/dev/null || :)" != "$stamp" ] || exit 0

fetch_kernel() {
	local package deb

	command -v apt-get >/dev/null || cannot 'no apt-get to download a kernel with'
	update
	package=$(apt-cache depends linux-image-amd64 |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || cannot 'no package linux-image-amd64 to download'
	rm -rf "$cache/kernel" "$cache/download"
	mkdir -p "$cache/kernel" "$cache/download"
	(cd "$cache/download" && apt-get -qq -o APT::Sandbox::User=root download "$package") >&2 ||
		cannot "apt-get download $package failed"
	deb=$(echo "$cache"/download/*.deb)
	dpkg-deb --extract "$deb" "$cache/kernel"
	rm -rf "$cache/download"
	depmod -b "$cache/kernel" "${package#linux-image-}"
	echo "${package#linux-image-}" >"$cache/version"
}

# Where the kernel's own payload lies in its file (Linux boot protocol 2.08: setup_sects,
# payload_offset, payload_length). QEMU enters the unpacked kernel by its PVH note, which
# spares the emulated processor the unpacking.
number() { # FILE OFFSET BYTES
	od -An -v -tu"$3" -j "$2" -N "$3" "$1" | tr -d ' '
}
unpack_kernel() {
	local image=$cache/kernel/boot/vmlinuz-$version start length

	start=$((($(number "$image" $((0x1f1)) 1) + 1) * 512 + $(number "$image" $((0x248)) 4)))
	length=$(number "$image" $((0x24c)) 4)
	tail -c +$((start + 1)) "$image" | head -c "$length" |
		xz --decompress --stdout --single-stream >"$cache/vmlinux.part" 2>/dev/null || :
	if [ "$(head -c 4 "$cache/vmlinux.part" | tail -c 3)" != ELF ]; then
		cp "$image" "$cache/vmlinux.part" # another compression: it unpacks itself
	fi
	mv "$cache/vmlinux.part" "$cache/vmlinux"
}

# The first root of the guest: busybox, the modules that mount the host's files, init.
build_initramfs() {
	local root=$cache/initramfs module file number=100

	rm -rf "$root"
	mkdir -p "$root/bin" "$root/modules" "$root/proc" "$root/sys" "$root/dev" "$root/guest"
	cp "$(command -v busybox)" "$root/bin/busybox"
	ln -s busybox "$root/bin/sh"
	install -m 755 "$here/init.sh" "$root/init"
	for module in virtio_pci 9pnet_virtio 9p overlay; do
		modprobe -d "$cache/kernel" -S "$version" --show-depends "$module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$cache/modules"
	while read -r file; do
		number=$((number + 1))
		case $file in
		*.xz) xz -dc "$file" >"$root/modules/$number.ko" ;;
		*) cp "$file" "$root/modules/$number.ko" ;;
		esac
	done <"$cache/modules"
	(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc) >"$cache/initrd"
}

[ -s "$cache/version" ] || fetch_kernel
version=$(cat "$cache/version")
unpack_kernel
build_initramfs
echo "$stamp" >"$cache/stamp"
