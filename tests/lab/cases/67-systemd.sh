# shellcheck shell=bash disable=SC2016,SC2154
# packaging/systemd as systemd itself runs it: the first process of a namespace of its own.
units=/etc/systemd/system
brought=$LAB/../../data/drives
packaging=$LAB/../../packaging
answers=/var/lib/assay/answers.json

# Installs the program and its units, as a package does, and keeps the host's own services out.
install_all() {
	local unit

	cp "$ASSAY" /usr/bin/assay
	chmod 755 /usr/bin/assay
	mkdir -p /usr/share/assay
	cp -r "$LAB/../../data/specs" /usr/share/assay
	cp "$packaging"/systemd/* $units
	for unit in /lib/systemd/system/{sysinit,sockets,local-fs,timers,basic}.target.wants/* \
		systemd-update-done.service systemd-journal-flush.service; do
		case $unit in
		*systemd-journald.s* | *systemd-journald-dev-log*) ;;
		*) ln -sf /dev/null "$units/$(basename "$unit")" ;;
		esac
	done
	ln -sf /lib/systemd/system/basic.target $units/default.target
	echo "ASSAY_CHECK_OPTIONS='-j -q -o $answers'" >/etc/default/assay
	# systemd forgets the status of what has ended well
	mkdir -p $units/assay-check.service.d
	printf '[Service]\nExecStopPost=/bin/sh -c "echo $EXIT_STATUS >/var/lib/assay/status"\n' \
		>$units/assay-check.service.d/status.conf
}

# Sets init, the number of its first process.
begin() {
	local tries=0

	busybox mount -t cgroup2 cgroup /sys/fs/cgroup 2>"$work/cgroup"
	unshare --fork --pid --mount-proc --kill-child /bin/sh -c 'mount -t tmpfs run /run &&
		container=lab exec /lib/systemd/systemd --system' >"$work/systemd" 2>&1 &
	until init=$(cat /proc/$!/task/$!/children 2>/dev/null) && [ -n "$init" ] &&
		within systemctl is-active basic.target >"$work/state" 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || {
			fail "systemd does not start: $(cat "$work/systemd" "$work/state")"
			return 1
		}
		sleep 0.2
	done
}

within() { # COMMAND...: among its processes and mounts
	nsenter -t "${init% }" -m -p -r -- "$@"
}

property() { # UNIT PROPERTY
	within systemctl show -P "$2" "$1"
}

# What drives say and what is wrong with them, without what moves, how it was asked, and what was
# before.
said() { # FILE
	jq -r 'sort_by(.device.target)[] | .device.target as $drive |
		(.facts | to_entries[] | select(.key | test("temperature|hours|command|power.state") | not)
			| "\($drive) \(.key) \(.value.value)"),
		(.verdicts[] | select(.id | test("growth|downgraded|^health$") | not)
			| "\($drive) \(.id) \(.state)")' "$1"
}

the_unit_reads_all_of_each_drive_and_records_it() {
	plug well "$LAB/drives/sas.capture"
	plug sata "$LAB/drives/sata.capture"
	plug worn "$brought/hgst-ultrastar-ssd800mm-800gb-worn.capture"
	timed 120 nsenter -t "${init% }" -m -p -r -- systemctl start assay-check.service
	expect_status 0
	expect "result $(property assay-check.service Result)" test \
		"$(property assay-check.service Result)" = success
	expect "its status is $(cat /var/lib/assay/status)" test "$(cat /var/lib/assay/status)" = 2
	cp $answers "$work/confined"
	assay 60 check --all -j -q -o "$work/free" --database /var/lib/assay/history.db
	said "$work/confined" >"$work/a"
	said "$work/free" >"$work/b"
	expect 'much was said' test "$(wc -l <"$work/a")" -gt 400
	diff "$work/b" "$work/a" >"$work/differs" ||
		fail "told differently: $(grep '^[-+]' "$work/differs")"
	assay 20 history -j --database /var/lib/assay/history.db
	expect_json '.tables.history_drives | length >= 3'
	expect 'the folder is for root and its group' test \
		"$(stat -c %a /var/lib/assay)" = 750
}

what_it_finds_is_in_the_journal() {
	plug worn "$brought/hgst-ultrastar-ssd800mm-800gb-worn.capture"
	: >/etc/default/assay
	within systemctl start assay-check.service
	within journalctl -q -u assay-check.service -o cat >"$out"
	expect_out '^FAILING  /dev/sd. .*HUSMM8080ASS200'
	expect_out 'self-assessment +Self-assessment: failed'
}

a_run_that_could_not_be_made_fails_the_unit() {
	echo "ASSAY_CHECK_OPTIONS='--no-such-option'" >/etc/default/assay
	timed 60 nsenter -t "${init% }" -m -p -r -- systemctl start assay-check.service
	expect 'it is failed' test "$(property assay-check.service Result)" = exit-code
	within systemctl reset-failed assay-check.service
	: >/etc/default/assay
}

# What a program in the place of the check can do there: a word for each that it can.
it_can_do_nothing_but_that() {
	plug d "$LAB/drives/sas.capture"
	cat >/usr/share/assay/probe <<-PROBE
		#!/bin/bash
		can() { word=\$1; shift; (eval "\$@") >/dev/null 2>&1 && echo "\$word"; }
		can record 'echo >/var/lib/assay/probed'
		can drive 'exec 3<>$sg'
		can write-etc 'echo >/etc/probed'
		can write-usr 'echo >/usr/share/assay/probed'
		can write-block 'exec 3<>$sd'
		can memory 'exec 3</dev/mem'
		can other-device 'mknod /var/lib/assay/node c 1 1 && exec 3</var/lib/assay/node'
		can home '[ -n "\$(ls -A /root)" ]'
		can network 'exec 3<>/dev/tcp/127.0.0.1/9 || [ "\$(ls /sys/class/net | wc -l)" -gt 1 ]'
		can mount 'mount -t tmpfs x /tmp'
		can time 'date -s 2001-01-01'
		exit 0
	PROBE
	printf '[Service]\nExecStart=\nExecStart=/bin/bash /usr/share/assay/probe\n' \
		>$units/assay-check.service.d/probe.conf
	within systemctl daemon-reload
	within systemctl start assay-check.service
	within journalctl -q -u assay-check.service -o cat _COMM=bash >"$out"
	rm -r $units/assay-check.service.d
	within systemctl daemon-reload
	expect "it can: $(tr '\n' ' ' <"$out")" test "$(sort "$out" | tr '\n' ' ')" = 'drive record '
}

the_timer_runs_it_every_hour_at_a_time_of_its_own() {
	local next

	within systemctl start assay-check.timer
	next=$(date -d "$(property assay-check.timer NextElapseUSecRealtime)" +%s)
	expect "the next run is in $((next - $(date +%s))) s" test \
		$((next - $(date +%s))) -ge 0 -a $((next - $(date +%s))) -le 5400
	expect 'the delay is 30 min' test "$(property assay-check.timer RandomizedDelayUSec)" = 30min
}

little_is_exposed() {
	within systemd-analyze security --no-pager assay-check.service >"$out" 2>"$err"
	echo "# $(tail -n 1 "$out")"
	expect_out 'exposure level .* (0|1)\.[0-9] '
}

if [ -x /lib/systemd/systemd ]; then
	install_all
	begin
	for test in the_unit_reads_all_of_each_drive_and_records_it what_it_finds_is_in_the_journal \
		a_run_that_could_not_be_made_fails_the_unit it_can_do_nothing_but_that \
		the_timer_runs_it_every_hour_at_a_time_of_its_own little_is_exposed; do
		run $test
	done
	within systemctl poweroff
else
	skip the_unit_reads_all_of_each_drive_and_records_it 'no systemd'
fi
