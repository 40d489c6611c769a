#!/bin/bash
# Boots a guest that sees the host's files, runs one job in it, and ends with the job's exit
# status. What the job prints, and what it writes below /exchange, is in the exchange folder.
#
# usage: boot.sh [-t SECONDS] [-m MIB] [-q 'QEMU ARGUMENTS'] EXCHANGE-FOLDER COMMAND...
# The folder gets stdout, stderr, console, status (of the job) and exit (of this). Exit status
# 124: the time limit passed; 125: the guest ended before the job did.
# ASSAY_LAB_CACHE: as for setup.sh, which must have run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "${ASSAY_LAB_CACHE:-$here/../../build/lab}" && pwd)
limit=120 memory=1024
extra=()
while getopts t:m:q: option; do
	case $option in
	t) limit=$OPTARG ;;
	m) memory=$OPTARG ;;
	q)
		read -r -a words <<<"$OPTARG"
		extra+=("${words[@]}")
		;;
	*) exit 125 ;;
	esac
done
shift $((OPTIND - 1))
exchange=$(cd "$1" && pwd)
shift

printf '%q ' "$@" >"$exchange/job"
printf 'export LAB_CACHE=%q LAB_FOLDER=%q BUILD=%q LAB_RUNS=%q LAB_FIRST=%q\n' "$cache" "$PWD" \
	"${BUILD-}" "${LAB_RUNS-}" "${LAB_FIRST-}" >"$exchange/environment"
rm -f "$exchange/status" "$exchange/exit"
: >"$exchange/stdout"
: >"$exchange/stderr"

machine=
end() { # EXIT-STATUS
	[ -z "$machine" ] || kill "$machine" 2>/dev/null || :
	echo "$1" >"$exchange/exit"
	exit "$1"
}
trap 'end 130' INT TERM
status=0
timeout --foreground --kill-after=3 "$limit" qemu-system-x86_64 \
	-machine q35,usb=off,hpet=off -accel tcg,tb-size=256 -cpu max -smp 1 -m "$memory" \
	-nodefaults -no-user-config -display none -monitor none -no-reboot \
	-serial "file:$exchange/console" -kernel "$cache/vmlinux" -initrd "$cache/initrd" \
	-append 'console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr tsc=reliable' \
	-fsdev local,id=host,path=/,security_model=none,multidevs=remap,readonly=on \
	-device virtio-9p-pci,fsdev=host,mount_tag=host \
	-fsdev "local,id=exchange,path=$exchange,security_model=none,multidevs=remap" \
	-device virtio-9p-pci,fsdev=exchange,mount_tag=exchange \
	"${extra[@]}" </dev/null >"$exchange/qemu" 2>&1 &
machine=$!
wait $machine || status=$?
machine=
[ ! -s "$exchange/status" ] || end "$(cat "$exchange/status")"
case $status in
124 | 137) end 124 ;;
esac
end 125
