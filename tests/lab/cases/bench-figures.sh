# shellcheck shell=bash disable=SC2034,SC2154
# The benchmark beside fio on drives whose latency is made: null_blk, dm-delay; and on zram, where
# no drive is the limit. Only where it is named, as an emulator's time is no test: medians of
# interleaved pairs.
PAIRS=${BENCH_PAIRS:-7}
SECONDS_EACH=10

# "IOPS MEAN P99" of one run
ours() { # NODE DEPTH OPTION...
	local node=$1 depth=$2

	shift 2
	assay 60 bench -q -j -W sr-4k-rr-scale -Q "$depth" -t $SECONDS_EACH "$@" "$node"
	[ "$status" = 0 ] || fail "$(head -n 1 "$err")"
	jq -r '.tables.bench[0] | "\(.iops) \(.mean_us) \(.p99_us)"' "$out"
}
theirs() { # NODE DEPTH OPTION...
	local node=$1 depth=$2

	shift 2
	timed 60 fio --name=it --filename="$node" --direct=1 --ioengine=io_uring --bs=4k --rw=randread \
		--norandommap --thread --iodepth="$depth" --time_based --runtime=$SECONDS_EACH \
		--lat_percentiles=1 --output-format=json "$@"
	[ "$status" = 0 ] || fail "$(head -n 1 "$err")"
	# lat begins before the access is given to the kernel, as ours does; clat after that
	jq -r '.jobs[0].read | "\(.iops) \(.lat_ns.mean / 1000) \(.lat_ns.percentile["99.000000"] / 1000)"' \
		"$out"
}

# The medians of the pairs' ratios: IOPS, mean, p99
ratios() { # FILE of lines "IOPS MEAN P99 IOPS MEAN P99"
	local i

	for i in 1 2 3; do
		awk -v i=$i '{ print $i / $(i + 3) }' "$1" | sort -n |
			awk '{ r[NR] = $1 } END { printf "%.3f ", r[int((NR + 1) / 2)] }'
	done
}

pairs() { # WHAT NODE DEPTH OUR-OPTIONS THEIR-OPTIONS
	local i a b

	: >"$work/pairs"
	for ((i = 0; i < PAIRS; i++)); do
		# shellcheck disable=SC2086 # options are words
		a=$(ours "$2" "$3" $4)
		# shellcheck disable=SC2086
		b=$(theirs "$2" "$3" $5)
		echo "$a $b" >>"$work/pairs"
	done
	read -r -a ratio < <(ratios "$work/pairs")
	echo "# $1: ours / fio's, medians of $PAIRS pairs: IOPS ${ratio[0]}, mean ${ratio[1]}," \
		"p99 ${ratio[2]}; last pair: $(tail -n 1 "$work/pairs")"
}

within_5_percent() { # INDEX...: of the ratios
	local i

	for i; do
		awk -v r="${ratio[i]}" 'BEGIN { exit !(r > 0.95 && r < 1.05) }' ||
			fail "ratio $i is ${ratio[i]}"
	done
}

null_blk_is_measured_as_by_fio() {
	modprobe null_blk nr_devices=1 gb=1 queue_mode=2 irqmode=2 completion_nsec=20000000
	pairs 'null_blk of 20 ms, Q8' /dev/nullb0 8 '' ''
	within_5_percent 0 1 2
	pairs 'null_blk of 20 ms, 100 IOPS' /dev/nullb0 16 '--rate 100' '--rate_iops=100'
	within_5_percent 0 1 2
}

dm_delay_is_measured_as_by_fio() {
	modprobe dm-delay
	dmsetup create slow --table '0 2097152 delay /dev/nullb0 0 30' || fail 'no dm-delay'
	dmsetup mknodes
	pairs 'dm-delay of 30 ms on it, Q8' /dev/mapper/slow 8 '' ''
	within_5_percent 0 1 2
	pairs 'dm-delay of 30 ms on it, 100 IOPS' /dev/mapper/slow 16 '--rate 100' '--rate_iops=100'
	within_5_percent 0 1 2
	dmsetup remove slow
}

a_drive_that_is_no_limit_gives_more_than_to_fio() {
	modprobe -r null_blk
	modprobe null_blk nr_devices=1 gb=1 queue_mode=2 irqmode=0
	pairs 'null_blk without latency, Q32' /dev/nullb0 32 '' ''
	awk -v r="${ratio[0]}" 'BEGIN { exit !(r >= 1.4) }' || fail "IOPS ratio ${ratio[0]}"
	modprobe zram num_devices=1
	echo 64M >/sys/block/zram0/disksize
	busybox dd if=/dev/urandom of=/dev/zram0 bs=1M count=64 oflag=direct 2>/dev/null
	pairs 'zram, Q32' /dev/zram0 32 '' ''
	awk -v r="${ratio[0]}" 'BEGIN { exit !(r >= 1.4) }' || fail "IOPS ratio ${ratio[0]}"
}

run null_blk_is_measured_as_by_fio
run dm_delay_is_measured_as_by_fio
run a_drive_that_is_no_limit_gives_more_than_to_fio
