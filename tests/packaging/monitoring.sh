#!/bin/sh
# The shipped commands in Nagios and in Icinga themselves, for 24 drives, where they are
# installed (nagios4-core, icinga2-bin: not in packaging/deps, for the one brings a mail
# server and the other 24 MB). Prints TAP.
#
# usage: tests/packaging/monitoring.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
assay=$(realpath "$1")
nagios=
# shellcheck source=tests/tap.sh
. tests/tap.sh
trap '[ -z "$nagios" ] || kill "$nagios"; rm -rf "$work"' EXIT
PATH=$PATH:/usr/sbin

# ---- Nagios: one run, until its status file has what the plug-in said ----

shelf() { # FOLDER: 24 drives
    mkdir "$1"
    letters='a b c d e f g h i j k l m n o p q r s t u v w x'
    for letter in $letters; do
        set -- "$1" data/drives/*.capture
        index=$(($(printf '%d' "'$letter") % ($# - 1)))
        shift $((index + 1))
        ln -s "$PWD/$1" "$work/drives/sd$letter"
        set -- "$work/drives"
    done
}

objects() {
    cat <<EOF
define timeperiod {
    timeperiod_name  never
    alias            never
}
define timeperiod {
    timeperiod_name  always
    alias            always
    $(for day in sun mon tues wednes thurs fri satur; do echo "    ${day}day 00:00-24:00"; done)
}
define command {
    command_name  nothing
    command_line  /bin/true
}
define contact {
    contact_name                   nobody
    host_notification_period       never
    service_notification_period    never
    host_notification_commands     nothing
    service_notification_commands  nothing
}
define host {
    host_name            here
    address              127.0.0.1
    max_check_attempts   1
    notification_period  never
    contacts             nobody
}
define service {
    use                  assay-drives
    host_name            here
    check_period         always
    notification_period  never
    contacts             nobody
    check_command        check_assay!$work/drives/*
}
EOF
}

main_file() {
    cat <<EOF
cfg_file=$work/assay.cfg
cfg_file=$work/objects.cfg
log_file=$work/nagios.log
log_archive_path=$work
object_cache_file=$work/objects.cache
status_file=$work/status.dat
state_retention_file=$work/retention.dat
check_result_path=$work/results
temp_file=$work/nagios.tmp
temp_path=$work
lock_file=$work/nagios.pid
command_file=$work/nagios.cmd
query_socket=$work/nagios.qh
nagios_user=$(id -un)
nagios_group=$(id -gn)
check_external_commands=0
check_for_updates=0
status_update_interval=1
check_result_reaper_frequency=1
service_inter_check_delay_method=n
EOF
}

prepare_nagios() {
    mkdir "$work/results" "$work/bin"
    shelf "$work/drives"
    printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
    chmod +x "$work/bin/sudo"
    sed "s,/usr/bin/assay,$assay," packaging/icinga/nagios.cfg >"$work/assay.cfg"
    objects >"$work/objects.cfg"
    main_file >"$work/nagios.cfg"
}

run_nagios() {
    PATH=$work/bin:$PATH nagios4 "$work/nagios.cfg" >"$work/nagios.out" 2>&1 &
    nagios=$!
    for try in $(seq 120); do
        grep -qs 'plugin_output=ASSAY' "$work/status.dat" && break
        sleep 0.5
    done
    cp "$work/status.dat" "$work/status" # which goes when Nagios goes
    kill "$nagios"
    wait "$nagios" || :
    nagios=
    cat "$work/nagios.out"
    echo "waited for $try halves of a second"
    sed -n '/^servicestatus/,/}/p' "$work/status" >"$work/service"
    [ -s "$work/service" ]
}

items() { # FILE: performance data, one a line
    grep -o "'[^']*'=[^ ]*" "$1"
}

says() { # PATTERN...
    cat "$work/service"
    for pattern; do
        grep -q "$pattern" "$work/service" || return
    done
}

has_all_drives() {
    grep -oE '(OK|WARNING|CRITICAL): [^ ]*/sd[a-x] ' "$work/service" >"$work/told"
    cat "$work/told"
    left=$(grep -oE 'and [0-9]+ more, none worse' "$work/service" | tr -dc 0-9)
    [ $(($(sort -u "$work/told" | wc -l) + ${left:-0})) = 24 ]
}

has_all_curves() {
    "$assay" check --format nagios "$work"/drives/* >"$work/direct"
    items "$work/direct" >"$work/want"
    items "$work/service" >"$work/got"
    grep -c " temperature'=[0-9]" "$work/got"
    diff "$work/want" "$work/got" && [ "$(grep -c " temperature'=[0-9]" "$work/got")" = 24 ]
}

if command -v nagios4 >/dev/null; then
    prepare_nagios
    check 'Nagios accepts the shipped command' nagios4 -v "$work/nagios.cfg"
    check 'Nagios runs it' run_nagios
    check 'Nagios takes the state of the worst drive' says 'current_state=2$' \
        'plugin_output=ASSAY 24 drives, the worst CRITICAL: '
    check 'Nagios has the texts of 24 drives, those left out counted' has_all_drives
    check 'Nagios has all performance data that were emitted, a curve of each drive' has_all_curves
    check 'what was left out is said' says 'performance data cut to the first [0-9]* of'
else
    skip 'Nagios runs the shipped command' 'no nagios4'
fi

# ---- Icinga: its own check of a configuration ----

icinga_accepts() {
    mkdir "$work/icinga"
    chmod 755 "$work"
    chmod 777 "$work/icinga" # it becomes the user nagios
    cp packaging/icinga/icinga2.conf "$work/icinga/assay.conf"
    cat >"$work/icinga/icinga2.conf" <<EOF
include <itl>
object Host "shelf" {
    check_command = "dummy"
    vars.os = "Linux"
}
object Host "pair" {
    check_command = "dummy"
    vars.drives["sda"] = { assay_device = "/dev/sda" }
    vars.drives["sdb"] = { assay_device = "/dev/sdb" }
}
include "$work/icinga/assay.conf"
EOF
    set -- daemon -C -c "$work/icinga/icinga2.conf"
    for folder in Data Log Cache Spool InitRun; do
        set -- "$@" "-D${folder}Dir=$work/icinga"
    done
    icinga2 "$@" >"$work/icinga.out" 2>&1
    status=$?
    cat "$work/icinga.out"
    [ $status = 0 ] && grep -q 'Instantiated 3 Services' "$work/icinga.out" &&
        ! grep -iE 'warning/|critical/' "$work/icinga.out"
}

if command -v icinga2 >/dev/null; then
    check 'Icinga accepts the shipped command, and has a service for each drive' icinga_accepts
else
    skip 'Icinga accepts the shipped command' 'no icinga2'
fi
