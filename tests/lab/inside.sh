#!/bin/bash
# In the guest: runs the cases one after the other, each in a shell of its own.
#
# usage: inside.sh ASSAY [CASE...]
here=$(cd "$(dirname "$0")" && pwd)
export LAB=$here ASSAY=$1
shift
modprobe -a configfs target_core_user tcm_loop
mount -t configfs configfs /sys/kernel/config

status=0
cases=("$@")
[ $# -gt 0 ] || cases=("$here"/cases/[0-9]*.sh)
for case in "${cases[@]}"; do
	name=$(basename "$case" .sh)
	started=${EPOCHREALTIME/./}
	limit=200
	[[ $name == [0-9]* ]] || limit=1700 # it is timed, so it takes its time
	# shellcheck disable=SC2016 # the inner shell expands it
	timeout $limit bash -c '. "$LAB/lib.sh"; . "$1"; end_of_case' \
		"$name" "$here/cases/$name.sh" || {
		echo "not ok - $name runs to its end"
		status=1
	}
	echo "# $name: $(((${EPOCHREALTIME/./} - started) / 1000)) ms"
done
exit $status
