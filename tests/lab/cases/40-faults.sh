# shellcheck shell=bash disable=SC2154
# Drives that misbehave: nothing hangs beyond its time limit, nothing crashes, nothing false is
# said, and a healthy drive beside is reported as if it were alone.
# attempts: 2
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture
shown=0

# Keeps the document that was just made, to compare it later.
keep() {
	shown=$((shown + 1))
	cp "$out" "$work/shown-$shown"
}

# None of the kept documents says something that the first, of the healthy drive, does not. (Where
# one source is lost another may speak: it stands among the others of the healthy drive.)
nothing_false() {
	jq -n -r 'input as $whole | inputs | input_filename as $file | .facts | to_entries[] |
		select(.value.state == "known" and .value.source.origin != "host" and
			.key != "power.state" and .value.value != "unknown") |
		select(.value.value as $value | $whole.facts[.key] |
			[.value, .others[]?.value] | index([$value]) | not) |
		"\($file | sub(".*/"; "")) \(.key) \(.value.value)"' \
		"$work"/shown-? "$work"/shown-?? >"$work/false" 2>"$work/jq"
	[ ! -s "$work/false" ] || fail "false: $(head -n 5 "$work/false")"
	rm -f "$work"/shown-*
	shown=0
}

# show_with FAULT...: shows the drive d with these faults, which it then has no more
show_with() {
	local fault

	for fault in "$@"; do
		control d fault "$fault"
	done
	assay 20 show -j -q -t 1 "$sg"
	control d clear
	[ "$status" -lt 100 ] || fail "with $*: ended with $status: $(head -c 300 "$err")"
	grep -q '"schema"' "$out" || fail "with $*: no document: $(head -c 300 "$out" "$err")"
	keep
}

wrong_answers_of_a_sas_drive_make_no_false_values() {
	plug d "$sas"
	assay 10 show -j -q "$sg"
	keep
	show_with 'sense=3/11/00 op=4d'
	show_with 'sense=4/44/00 op=12 page=83'
	show_with 'sense=5/20/00 op=5a' 'sense=5/20/00 op=1a'
	show_with 'sense=b/47/03 after=7 count=3'
	show_with 'conflict op=4d'
	show_with 'full count=4'
	show_with 'short=3 op=4d' 'short=20 op=5a'
	show_with 'short=0 op=12 page=8a'
	show_with 'short=5 op=9e'
	show_with 'length=65535 op=4d'
	show_with 'length=1 op=4d'
	show_with 'length=0 op=12 page=83'
	show_with 'length=255 op=5a'
	show_with 'length=65535 op=5a'
	show_with 'length=65535 op=12 page=80'
	show_with 'fill=0 op=4d'
	show_with 'fill=255 op=4d'
	show_with 'fill=255 op=5a'
	nothing_false
}

wrong_answers_of_a_sata_drive_make_no_false_values() {
	plug d "$sata"
	assay 10 show -j -q "$sg"
	keep
	show_with 'sense=b/00/00 ata=2f'
	show_with 'sense=b/00/00 ata=b0'
	show_with 'sense=5/20/00 op=85'
	show_with 'short=100 ata=b0'
	show_with 'short=512 ata=2f'
	show_with 'fill=0 ata=b0'
	show_with 'fill=255 ata=b0'
	show_with 'fill=0 ata=2f'
	show_with 'fill=255 ata=2f'
	show_with 'conflict ata=2f'
	nothing_false
}

unit_attentions_are_taken_and_the_drive_is_shown_whole() {
	plug d "$sas"
	assay 10 show -j -q "$sg"
	keep
	control d attention 29/00
	control d attention 2a/01
	control d attention 3f/03
	assay 10 show -j -q "$sg"
	expect_status 0
	keep
	jq -n 'input.facts == input.facts' "$work/shown-1" "$work/shown-2" >"$work/jq"
	expect 'the same facts' grep -qx true "$work/jq"
	nothing_false
}

a_drive_that_is_busy_for_a_moment_is_shown_whole() {
	plug d "$sas"
	assay 10 show -j -q "$sg"
	keep
	control d fault full count=3
	assay 20 show -j -q "$sg"
	expect_status 0
	keep
	jq -n 'input.facts == input.facts' "$work/shown-1" "$work/shown-2" >"$work/jq"
	expect 'the same facts' grep -qx true "$work/jq"
	nothing_false
}

one_page_that_never_comes_costs_its_time_limit_and_no_more() {
	plug d "$sas"
	assay 10 show -j -q "$sg"
	keep
	control d fault hang op=4d page=0d count=1
	assay 30 show -j -q -t 1 "$sg"
	expect_status 0
	expect_within 6000
	expect_json '.facts["identity.model"].value == "REPLAYED SAS"' '.facts | length > 20'
	keep
	nothing_false
}

a_slow_drive_is_waited_for() {
	plug d "$sas"
	control d fault delay=100 op=4d
	assay 20 show -j -q -t 2 "$sg"
	expect_status 0
	expect_json '.facts["temperature.current_celsius"].value == 31'
	expect 'it was slow' test "$took_ms" -ge 500
}

a_drive_that_never_answers_is_given_up_in_time() {
	plug d "$sas"
	control d fault hang
	assay 60 show -j -q -t 1 "$sg"
	expect_within 12000
	expect_status 75
}

a_deadline_ends_what_time_limits_do_not() {
	plug d "$sas"
	control d fault delay=600
	assay 30 show -j -q -t 1 -d 3 "$sg"
	expect_within 7000
}

# before_news PATTERN FILE SECONDS: waits until it stands there; sets took_ms
before_news() {
	local began

	now_ms
	began=$now
	while ! grep -q "$1" "$2"; do
		sleep 0.05
		now_ms
		[ $((now - began)) -lt $(($3 * 1000)) ] || break
	done
	now_ms
	took_ms=$((now - began))
}

a_healthy_drive_beside_a_dead_one_is_not_delayed() {
	local good program alone

	plug good "$sata"
	good=$sg
	plug d "$sas"
	assay 20 show -j -q "$good"
	alone=$took_ms
	control d fault hang
	"$ASSAY" show -j -q -t 15 "$sg" "$good" >"$work/both" 2>"$err" &
	program=$!
	before_news LABSATA1 "$work/both" 20
	expect_within $((2 * alone + 3000))
	expect 'not the dead one' sh -c "! grep -q LABSAS01 '$work/both'"
	control d clear
	kill $program
	wait $program 2>/dev/null
	true
}

a_drive_that_not_even_an_abort_brings_back_is_given_up_at_the_deadline() {
	local good

	plug good "$sata"
	good=$sg
	plug d "$sas"
	control d fault hang-forever
	assay 60 show -j -q -t 1 -d 3 "$sg" "$good"
	control d clear
	expect_within 12000
	expect_status 75
	expect 'the other drive' grep -q LABSATA1 "$out"
}

a_drive_that_goes_away_in_the_middle_ends_the_run_with_what_came() {
	plug d "$sas"
	assay 10 show -j -q "$sg"
	keep
	control d fault gone op=4d count=1
	assay 20 show -j -q "$sg"
	expect_within 8000
	[ "$status" -lt 100 ] || fail "ended with $status"
	keep
	nothing_false
	assay 10 show "$sg"
	expect_status 66
}

a_drive_that_is_offline_is_told_so() {
	plug d "$sas"
	echo offline >"/sys/block/${sd#/dev/}/device/state"
	assay 20 show -j -q "$sg"
	expect_within 5000
	expect 'no success' test "$status" != 0
	[ "$status" -lt 100 ] || fail "ended with $status"
	echo running >"/sys/block/${sd#/dev/}/device/state"
}

a_node_that_is_not_there_is_no_such_drive() {
	assay 5 show /dev/sdzz
	expect_status 66
}

run wrong_answers_of_a_sas_drive_make_no_false_values
run wrong_answers_of_a_sata_drive_make_no_false_values
run unit_attentions_are_taken_and_the_drive_is_shown_whole
run a_drive_that_is_busy_for_a_moment_is_shown_whole
run one_page_that_never_comes_costs_its_time_limit_and_no_more
run a_slow_drive_is_waited_for
run a_drive_that_never_answers_is_given_up_in_time
run a_deadline_ends_what_time_limits_do_not
run a_healthy_drive_beside_a_dead_one_is_not_delayed
run a_drive_that_not_even_an_abort_brings_back_is_given_up_at_the_deadline
run a_drive_that_goes_away_in_the_middle_ends_the_run_with_what_came
run a_drive_that_is_offline_is_told_so
run a_node_that_is_not_there_is_no_such_drive
