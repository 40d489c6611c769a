# shellcheck shell=sh
# For scripts that print TAP: a folder to work in, which they take away, and lines with numbers.
work=$(mktemp -d)
number=0

check() { # SENTENCE COMMAND...: what a command printed is shown where it fails
    number=$((number + 1))
    sentence=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        echo "ok $number - $sentence"
    else
        sed 's/^/# /' "$work/out" | cut -c1-400 | head -n 40
        echo "not ok $number - $sentence"
    fi
}
skip() { # SENTENCE WHY
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}
