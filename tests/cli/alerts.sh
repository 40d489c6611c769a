#!/bin/sh
# Alerts of assay check, as an administrator sets them. Prints TAP.
#
# usage: tests/cli/alerts.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
assay=$(realpath "$1")
worn=data/drives/hgst-ultrastar-ssd800mm-800gb-worn.capture
well=data/drives/hgst-ultrastar-ssd800mm-800gb-healthy.capture
number=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() { # RESULT SENTENCE
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
        return
    fi
    sed 's/^/# /' "$work/out" "$work/err" "$work/told" | head -n 30
    echo "not ok $number - $2"
}

cat >"$work/tell" <<'EOF'
#!/bin/sh
folder=$(dirname "$0")
[ -e "$folder/broken" ] && exit 9
echo "$# $1 $ASSAY_EVENT $ASSAY_FORMER_STATE $ASSAY_STATE $ASSAY_SERIAL" >>"$folder/told"
cat >"$folder/document"
echo 'output of the command'
EOF
cat >"$work/sendmail" <<'EOF'
#!/bin/sh
cat >>"$(dirname "$0")/mail"
EOF
chmod +x "$work/tell" "$work/sendmail"
cat >"$work/conf" <<EOF
[history]
database = $work/history.db
[alerts]
command-timeout = 20
EOF

# Holds the exit status, and what is told by it.
check() { # ARGUMENT...
    : >"$work/told"
    "$assay" check --config "$work/conf" "$@" >"$work/out" 2>"$work/err"
    status=$?
}
told() { # STATUS TEXT: as expected
    [ "$status" = "$1" ] && [ "$(cat "$work/told")" = "$2" ]
}

check --alert-command "$work/tell 'one argument'" -j "$well"
told 0 ''
verdict $? 'a drive that is well is not told'
check --alert-command "$work/tell 'one argument'" -j "$worn" "$well"
told 2 '1 one argument change ok failing ASSAY002'
verdict $? 'a drive that fails is told, by a command with its argument'
/usr/bin/python3 - "$work/out" "$work/document" <<'EOF'
import json, sys
out, document = (json.load(open(path)) for path in sys.argv[1:])
sys.exit(document != out[0])
EOF
verdict $? 'the command gets the document that check prints, which its output does not disturb'
check --alert-command "$work/tell x" "$worn"
told 2 ''
verdict $? 'what was told is not told again'
ASSAY_SENDMAIL=$work/nowhere check --alert-mail root@localhost "$worn"
[ "$status" = 2 ] && grep -q "nowhere: No such file" "$work/err" && [ ! -e "$work/mail" ]
verdict $? 'mail that does not go out is told'
ASSAY_SENDMAIL=$work/sendmail check --alert-mail root@localhost "$worn"
[ "$status" = 2 ] && grep -q '^To: root@localhost$' "$work/mail" &&
    grep -q '^Subject: .* FAILING, HUSMM8080ASS200 ASSAY002: ' "$work/mail"
verdict $? 'and goes out at the next run'
ASSAY_SENDMAIL=$work/sendmail check --alert-mail root@localhost "$worn"
[ "$(grep -c '^To: ' "$work/mail")" = 1 ]
verdict $? 'once'

rm "$work"/history.db*
touch "$work/broken"
check --alert-command "$work/tell x" "$worn"
told 2 '' && grep -q 'exit status 9' "$work/err"
verdict $? 'a command that fails is told on standard error, and does not change the verdict'
rm "$work/broken"
check --alert-command "$work/tell x" "$worn"
told 2 '1 x change ok failing ASSAY002'
verdict $? 'its alert is not lost'

rm "$work"/history.db*
: >"$work/told"
for run in 1 2 3 4; do
    "$assay" check --config "$work/conf" --alert-command "$work/tell x" "$worn" \
        >"$work/out" 2>"$work/err" &
done
wait
[ "$(wc -l <"$work/told")" = 1 ]
verdict $? "four runs at once tell once (run $run)"

sed 's/^command-timeout.*/command-timeout = 1/' "$work/conf" >"$work/short" && mv "$work/short" "$work/conf"
rm "$work"/history.db*
began=$(date +%s)
check --alert-command "sleep 60" "$worn"
[ "$status" = 2 ] && grep -q 'time limit of 1 s' "$work/err" && [ $(($(date +%s) - began)) -lt 20 ]
verdict $? 'a command that hangs is ended'

check --alert-command "$work/tell x" --alert-test
told 0 '1 x test ok ok '
verdict $? 'a test alert needs no drive'
check --alert-test
[ "$status" = 64 ] && [ -s "$work/err" ]
verdict $? 'a test alert without a command is a usage error'
check --alert-command "/nowhere/command" --alert-test
[ "$status" = 66 ] && grep -q 'No such file' "$work/err"
verdict $? 'a test alert tells that the command is not there'
check --alert-command "a 'b" --alert-test
[ "$status" = 64 ] && grep -q 'quote' "$work/err"
verdict $? 'a command with an open quote is a usage error'

cp "$work/conf" "$work/set"
echo "command = $work/tell configured" >>"$work/set"
: >"$work/told"
"$assay" check --config "$work/set" --database "$work/own.db" "$worn" >"$work/out" 2>"$work/err"
[ ! -s "$work/told" ]
verdict $? 'what is configured is not for a look at one drive'
"$assay" check --config "$work/set" --database "$work/own.db" --record "$worn" \
    >"$work/out" 2>"$work/err"
status=$?
told 2 '1 configured change ok failing ASSAY002' && [ -s "$work/own.db" ]
verdict $? 'but for a run that is recorded, in the same history'

sed "s,^database.*,database = $work/nowhere/history.db," "$work/conf" >"$work/other"
: >"$work/told"
"$assay" check --config "$work/other" --alert-command "$work/tell x" "$worn" >"$work/out" 2>"$work/err"
status=$?
told 2 '1 x change ok failing ASSAY002' && grep -q 'cannot be noted: .*nowhere/history.db' "$work/err" &&
    grep -q FAILING "$work/out"
verdict $? 'without a history the verdict and the alert are delivered all the same'
