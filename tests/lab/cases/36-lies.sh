# shellcheck shell=bash disable=SC2154
# The brought-along drives, each with one thing that it lies about: it fails in just that.
# shellcheck source=tests/lab/verify.sh
. "$LAB/verify.sh"

each_lie_gives_its_own_failure_and_no_other() {
	local name verdict lies=0

	/usr/bin/python3 "$LAB/lies.py" "$drives" "$work/lies" >"$work/list" 2>"$err" ||
		fail "no lies: $(head -c 300 "$err")"
	while read -r name verdict; do
		verified "$work/lies/$name.capture"
		expect_status 2
		expect_only "fail $verdict"
		[ -z "$problem" ] || {
			problem="$name: $problem"
			return
		}
		lies=$((lies + 1))
	done <"$work/list"
	expect "$lies lies, not 16" test "$lies" = 16
}

run each_lie_gives_its_own_failure_and_no_other
back_to_the_present
