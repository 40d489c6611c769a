# shellcheck shell=bash disable=SC2034
# For the cases: a test is a function whose name is a sentence. It plugs drives in, runs the
# program, and states with expect_... what must hold; the first that does not fails the test.
#
#   a_hot_drive_is_reported() {
#           plug hot "$LAB/drives/sas.capture"
#           control hot temperature 71
#           assay 5 show -j "$sg"
#           expect_json '.facts["temperature.current_celsius"].value == 71'
#   }
#   run a_hot_drive_is_reported

# Starting a program costs the emulated processor some 50 ms, most of it for shared libraries;
# a static one costs 15.
for applet in cat cmp cp dd diff grep head mkdir od rm sed sleep sort tail timeout tr wc; do
	eval "$applet() { command busybox $applet \"\$@\"; }"
done

work=$(mktemp -d)
out=$work/out err=$work/err status=0 took_ms=0
plugged=()
problem=

now_ms() {
	now=${EPOCHREALTIME/./}
	now=$((now / 1000))
}

# plug NAME CAPTURE: sets sd and sg, /dev/... of the new drive
plug() {
	local nodes

	nodes=$("$LAB_CACHE/lab-drive" up "$1" "$2" 2>"$work/plug") || {
		fail "no drive $1: $(cat "$work/plug")"
		return 1
	}
	plugged+=("$1")
	sd=/dev/${nodes% *}
	sg=/dev/${nodes#* }
}

unplug() { # NAME
	local kept=() name

	"$LAB_CACHE/lab-drive" down "$1"
	for name in "${plugged[@]}"; do
		[ "$name" = "$1" ] || kept+=("$name")
	done
	plugged=("${kept[@]}")
	if [ -s "/run/lab/$1/messages" ]; then
		fail "drive $1: $(cat "/run/lab/$1/messages")"
	fi
}

# control NAME WORD...: changes the drive; it takes effect before its next command
control() {
	local name=$1

	shift
	[ -p "/run/lab/$name/control" ] && echo "$*" >"/run/lab/$name/control"
}

# journal NAME [PATTERN]: the commands since the last mark, of that pattern
journal() {
	sed '1,/ mark here$/d' "/run/lab/$1/journal" | grep -E -- "${2-.}" || :
}
mark() { # NAME
	local tries=0

	[ -p "/run/lab/$1/control" ] || return
	control "$1" mark here
	# the drive itself writes it: wait until it stands there
	until grep -q ' mark here$' "/run/lab/$1/journal" || [ $tries -gt 200 ]; do
		tries=$((tries + 1))
		sleep 0.02
	done
}

# timed SECONDS COMMAND...: sets out, err, status and took_ms
timed() {
	local limit=$1 began

	shift
	now_ms
	began=$now
	busybox timeout -k 1 "$limit" "$@" >"$out" 2>"$err" </dev/null
	status=$?
	now_ms
	took_ms=$((now - began))
}
assay() { # SECONDS ARGUMENT...
	local limit=$1

	shift
	timed "$limit" "$ASSAY" "$@"
}

fail() { # WHY: the test fails; only the first reason is told
	[ -n "$problem" ] || problem=$*
}
expect_status() {
	[ "$status" = "$1" ] || fail "exit status $status, not $1: $(head -c 300 "$err")"
}
expect_within() { # MILLISECONDS
	[ "$took_ms" -le "$1" ] || fail "took $took_ms ms, more than $1"
}
expect_json() { # JQ-EXPRESSION... of $out, each of which must be true
	local all='' expression

	for expression in "$@"; do
		all="$all, (if ($expression) then empty else $(jq_text "$expression") end)"
	done
	jq -r "[${all#,}] | .[]" "$out" >"$work/jq" 2>&1
	[ ! -s "$work/jq" ] || fail "not so: $(head -n 5 "$work/jq") $(head -c 300 "$err")"
}
jq_text() { # STRING: as jq writes it
	local text=${1//\\/\\\\}

	echo "\"${text//\"/\\\"}\""
}
expect_out() { # PATTERN
	grep -Eq -- "$1" "$out" || fail "no line $1: $(tail -n 20 "$out" "$err")"
}
expect_err() { # PATTERN
	grep -Eq -- "$1" "$err" || fail "no message $1: $(tail -n 20 "$err")"
}
expect_same() { # FILE FILE
	diff "$1" "$2" >"$work/diff" || fail "differs: $(head -n 6 "$work/diff")"
}
expect() { # WHAT COMMAND...
	local what=$1

	shift
	"$@" || fail "$what"
}

# run TEST: prints its line and takes away the drives that it left
run() {
	local name began

	problem=
	now_ms
	began=$now
	"$1" || fail 'ended with an error'
	for name in "${plugged[@]}"; do
		unplug "$name"
	done
	now_ms
	if [ -z "$problem" ]; then
		echo "ok - ${1//_/ } ($((now - began)) ms)"
	else
		echo "not ok - ${1//_/ }"
		echo "# ${problem//$'\n'/$'\n'# }"
		failures=$((failures + 1))
	fi
}
failures=0
skip() { # TEST REASON
	echo "ok - ${1//_/ } # SKIP $2"
}
end_of_case() {
	rm -rf "$work"
}

# The node of a disk by its model, as the kernel has it.
node_of() { # MODEL
	local file

	for file in /sys/block/sd*/device/model; do
		if [ "$(tr -d ' ' <"$file")" = "$1" ]; then
			file=${file#/sys/block/}
			echo "/dev/${file%%/*}"
			return
		fi
	done
}
