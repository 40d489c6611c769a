#!/bin/sh
# First process of the guest: puts the host's files (read-only, over 9p) below a memory
# overlay, loads the drivers of whatever QEMU plugged in, runs the job that lies in the
# exchange folder, and stops the machine.
box=/bin/busybox
root=/guest/root
options=trans=virtio,version=9p2000.L,msize=262144

stop() {
	[ -z "${1-}" ] || $box echo "lab: $1"
	$box sync
	$box poweroff -f
	$box sleep 60
}
mounted() { # WHAT MOUNT-ARGUMENT...
	what=$1
	shift
	$box mount "$@" || stop "cannot mount $what"
}

mounted proc -t proc proc /proc
mounted sys -t sysfs sys /sys
mounted dev -t devtmpfs dev /dev
for module in /modules/*.ko; do
	$box insmod "$module" || stop "cannot load $module"
done
mounted memory -t tmpfs memory /guest
$box mkdir /guest/host /guest/upper /guest/work "$root"
mounted 'the host' -t 9p -o "ro,$options,cache=loose" host /guest/host
mounted overlay -t overlay \
	-o lowerdir=/guest/host,upperdir=/guest/upper,workdir=/guest/work overlay "$root"
for folder in proc sys dev run exchange; do
	$box mkdir -p "$root/$folder"
done
for folder in proc sys dev; do
	mounted "$folder" -o move "/$folder" "$root/$folder"
done
mounted run -t tmpfs run "$root/run"
$box mkdir -p "$root/dev/shm" "$root/dev/pts"
mounted shm -t tmpfs shm "$root/dev/shm"
mounted pts -t devpts pts "$root/dev/pts"
mounted debug -t debugfs debug "$root/sys/kernel/debug"
mounted exchange -t 9p -o "$options,cache=none" exchange "$root/exchange"
[ -e "$root/dev/fd" ] || $box ln -s /proc/self/fd "$root/dev/fd"
$box ip link set lo up

$box cat >"$root/run/job" <<'JOB'
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH LC_ALL=C
. /exchange/environment
modules=/lib/modules/$(uname -r)
mkdir -p /lib/modules
rm -rf "$modules"
ln -s "$LAB_CACHE/kernel/lib/modules/$(uname -r)" "$modules"
# The drivers of disk controllers (PCI class 01h) and of virtio disks.
cat /sys/bus/pci/devices/*/modalias /sys/bus/virtio/devices/*/modalias 2>/dev/null |
	grep -E 'bc01|^virtio:d0000000[28]' | sort -u | xargs modprobe -qa sg sd_mod
cut -d ' ' -f 1 /proc/uptime >/exchange/uptime
cd "$LAB_FOLDER" || cd /
bash /exchange/job </dev/null >/exchange/stdout 2>/exchange/stderr
echo $? >/exchange/status
JOB
$box chroot "$root" /bin/sh /run/job
stop
