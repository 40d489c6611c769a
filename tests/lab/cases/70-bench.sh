# shellcheck shell=bash disable=SC2034,SC2154
# The benchmark on real nodes: what it refuses, what it writes, that others count the same.
# attempts: 2
virtio=$(node_of QEMU-VIRTIO)
ahci=$(node_of QEMU-AHCI)
bench() { # SECONDS NODE OPTION...
	local limit=$1 node=$2

	shift 2
	assay "$limit" bench -q -j "$@" "$node"
}
reads() { bench 30 "$1" -W sr-4k-rr-scale -Q 4 -t 0.5; }
writes=(-W sr-4k-rw-ss --no-precondition -Q 4 -t 0.5)

a_read_workload_runs_without_asking() {
	reads "$ahci"
	expect_status 0
	expect_json \
		'.tables.bench | length == 1' \
		'.tables.bench[0].read_count > 10 and .tables.bench[0].write_count == 0' \
		'.facts["identity.serial"].value == "LAB-AHCI"' \
		'.facts["bench.target_bytes"].value == 67108864' \
		'.facts["bench.engine"].value == "uring"' \
		'([.tables.bench_series[].read_count] | add) == .tables.bench[0].read_count'
}

nothing_is_written_without_the_serial_number() {
	timed 10 dd if="$ahci" of="$work/before" bs=1M iflag=direct
	bench 30 "$ahci" "${writes[@]}"
	expect_status 64
	expect_err 'destroy-data'
	bench 30 "$ahci" "${writes[@]}" --destroy-data LAB-MPT
	expect_status 64
	expect_err "this drive is 'LAB-AHCI'"
	timed 10 dd if="$ahci" of="$work/after" bs=1M iflag=direct
	expect_same "$work/before" "$work/after"
}

a_write_workload_stays_within_its_span_and_is_verified() {
	timed 10 dd if=/dev/zero of="$ahci" bs=1M oflag=direct
	bench 60 "$ahci" "${writes[@]}" --destroy-data LAB-AHCI --verify --offset 16m --span 8m
	expect_status 0
	expect_json '.facts["bench.verified_blocks"].value > 0' \
		'.facts["bench.wrong_blocks"].value == 0' \
		'.tables.bench[0].span_bytes == 8388608'
	timed 10 dd if="$ahci" of="$work/head" bs=1M count=16 iflag=direct
	timed 10 dd if="$ahci" of="$work/tail" bs=1M skip=24 iflag=direct
	expect 'zeros before the span' cmp -s -n 16777216 "$work/head" /dev/zero
	expect 'zeros behind the span' cmp -s -n 41943040 "$work/tail" /dev/zero
}

the_doctor_says_what_would_spoil_the_numbers() {
	local power=/sys/block/${ahci#/dev/}/device/power/control

	echo on >"$power"
	assay 10 bench doctor "$ahci"
	expect_out '^ok +runtime_power +device/power/control is on'
	echo auto >"$power"
	assay 10 bench doctor "$ahci"
	expect_status 1
	expect_out '^bad +runtime_power +device/power/control is auto, not on'
	echo on >"$power"
	expect_out '^(ok|bad) +load '
	busybox dd if="$ahci" of=/dev/null bs=4k iflag=direct 2>/dev/null &
	assay 10 bench doctor "$ahci"
	kill $! 2>/dev/null
	wait
	expect_out '^bad +other_users +[1-9][0-9]* accesses by others'
}

small_accesses_on_4k_blocks_are_rounded_up_and_it_is_said() {
	bench 30 "$virtio" -W iom-webserver -Q 4 -t 0.5
	expect_status 0
	expect_json '.facts["bench.block_bytes"].value == 4096' \
		'[.notes[].text | select(test("rounded up"))] | length == 1'
}

# shares FILE: of the commands in a journal, percent of reads, of the smallest, of 64 KiB
shares() {
	awk '$1 ~ /^[0-9]/ { for (i = 1; i <= NF; i++) if ($i == "28" || $i == "2a") {
			read += $i == "28"; n++
			blocks = ("0x" $(i + 7)) * 256 + ("0x" $(i + 8))
			small += blocks == 1; large += blocks == 128; break } }
		END { printf "%d %.0f %.0f %.0f\n", n, read * 100 / n, small * 100 / n, large * 100 / n }' "$1"
}

our_mix_is_that_of_the_exported_fio_job() {
	plug mix "$LAB/drives/sas.capture"
	local serial ours theirs i

	assay 10 show -j "$sg"
	serial=$(jq -r '.facts["identity.serial"].value' "$out")
	mark mix
	bench 90 "$sd" -W iom-fileserver --no-precondition -Q 4 --stop-ios 1500 \
		--destroy-data "$serial"
	expect_status 0
	journal mix >"$work/ours"
	assay 10 bench export -f fio --no-precondition -Q 4 iom-fileserver "$sd"
	grep -v -e '^runtime' -e '^time_based' "$out" >"$work/job"
	echo 'number_ios=1500' >>"$work/job"
	mark mix
	timed 90 fio "$work/job"
	expect_status 0
	journal mix >"$work/theirs"
	read -r -a ours <<<"$(shares "$work/ours")"
	read -r -a theirs <<<"$(shares "$work/theirs")"
	echo "# accesses, reads, 512 bytes, 64 KiB: ours ${ours[*]}, fio's ${theirs[*]}"
	for i in 1 2 3; do
		expect "share $i: ${ours[i]} and ${theirs[i]}" \
			test $((ours[i] - theirs[i])) -le 4 -a $((theirs[i] - ours[i])) -le 4
	done
}

kernel_counts() { # NODE: reads that completed, and their milliseconds in all
	local reads merged sectors ms rest

	read -r reads merged sectors ms rest <"/sys/block/${1#/dev/}/stat"
	echo "$reads $ms"
}

# How fast the emulator is decides nothing here: the kernel saw the same accesses at the same time.
a_drive_of_known_latency_is_measured_as_the_kernel_counts_it() {
	local tries=0 node before after reads ms

	modprobe -r scsi_debug
	modprobe scsi_debug dev_size_mb=16 ndelay=10000000
	until node=$(node_of scsi_debug) && [ -b "$node" ]; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || {
			fail 'scsi_debug has no disk'
			return
		}
		sleep 0.05
	done
	echo 2 >"/sys/block/${node#/dev/}/queue/nomerges"
	read -r -a before < <(kernel_counts "$node")
	bench 30 "$node" -W sr-4k-rr-scale -Q 4 --batch 1 --stop-ios 400
	expect_status 0
	read -r -a after < <(kernel_counts "$node")
	reads=$((after[0] - before[0]))
	ms=$((after[1] - before[1]))
	echo "# the kernel counts $reads reads of $((ms * 1000 / reads)) us in the mean;" \
		"ours: $(jq -c '.tables.bench[0] | [.read_count, .mean_us]' "$out")"
	expect_json ".tables.bench[0].read_count == 400 and $reads == 400" \
		'.tables.bench[0].minimum_us >= 10000' \
		".tables.bench[0].mean_us >= $ms * 1000 / $reads * 0.99"
}

a_drive_that_vanishes_ends_the_run_with_what_was_measured() {
	plug gone "$LAB/drives/sas.capture"
	(
		sleep 3
		echo 1 >"/sys/block/${sd#/dev/}/device/delete"
	) &
	bench 60 "$sd" -W sr-4k-rr-scale -Q 4 -t 30
	wait
	expect_status 2
	expect_json '.facts["bench.end"].value == "failed"' \
		'.tables.bench[0].read_count > 0' '.tables.bench_faults | length > 0'
}

an_interrupt_keeps_the_result() {
	"$ASSAY" bench -q -j -W sr-4k-rr-scale -Q 4 -t 60 "$ahci" >"$out" 2>"$err" &
	local program=$!

	sleep 3
	kill -INT $program
	wait $program
	status=$?
	expect_status 3
	expect_json '.facts["bench.end"].value == "stopped"' '.tables.bench[0].read_count > 0'
}

run a_read_workload_runs_without_asking
run nothing_is_written_without_the_serial_number
run a_write_workload_stays_within_its_span_and_is_verified
run the_doctor_says_what_would_spoil_the_numbers
run small_accesses_on_4k_blocks_are_rounded_up_and_it_is_said
if command -v fio >/dev/null; then
	run our_mix_is_that_of_the_exported_fio_job
else
	skip our_mix_is_that_of_the_exported_fio_job 'no fio'
fi
run a_drive_of_known_latency_is_measured_as_the_kernel_counts_it
run a_drive_that_vanishes_ends_the_run_with_what_was_measured
run an_interrupt_keeps_the_result
