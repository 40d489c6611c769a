#!/bin/sh
# What make install brings, the systemd units, and the examples. Prints TAP.
#
# usage: tests/packaging/run.sh ASSAY
set -u
cd "$(dirname "$0")/../.." || exit
assay=$(realpath "$1")
# shellcheck source=tests/tap.sh
. tests/tap.sh
trap 'rm -rf "$work"' EXIT

place() { # TARGET: what is built is not built again
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -o all "$1" BUILD="$(dirname "$assay")" \
        PREFIX=/usr DESTDIR="$work/root"
}

is_installed() {
    place install || return
    for file in lib/systemd/system/assay-check.service lib/systemd/system/assay-check.timer \
        share/man/man1/assay.1 share/man/man7/assay-metrics.7 \
        share/assay/assay-document.schema.json share/assay/prometheus/assay.rules.yml \
        share/assay/grafana/assay.json share/assay/icinga/icinga2.conf \
        share/assay/icinga/nagios.cfg share/assay/examples/ceph-life-expectancy \
        share/assay/examples/alerts.conf; do
        [ -s "$work/root/usr/$file" ] || { echo "not there: $file" && return 1; }
    done
}

is_gone() {
    place uninstall || return
    find "$work/root" -type f >"$work/left"
    cat "$work/left"
    [ ! -s "$work/left" ]
}

# The unit of a prefix, with the program of this build.
unit() { # FOLDER [DROP-IN]
    mkdir -p "$1"
    for file in assay-check.service assay-check.timer; do
        sed "s,/usr/bin/assay,$assay," "packaging/systemd/$file" >"$1/$file"
    done
    [ $# = 1 ] && return
    mkdir -p "$1/assay-check.service.d"
    cp "$2" "$1/assay-check.service.d"
}
verify() { # FOLDER
    systemd-analyze verify --man=no "$1/assay-check.timer" "$1/assay-check.service" 2>&1 |
        grep "$1\|assay-check" >"$work/said"
    cat "$work/said"
    [ ! -s "$work/said" ]
}
exposure() { # FOLDER TENTHS
    systemd-analyze security --offline=yes --no-pager --threshold="$2" "$1/assay-check.service"
}

check 'make install brings pages, units, rules and examples' is_installed
check 'the unit runs the program that is installed' \
    grep -q '^ExecStart=/usr/bin/assay check --all' "$work/root/usr/lib/systemd/system/assay-check.service"
check 'make uninstall leaves nothing' is_gone

if ! command -v systemd-analyze >/dev/null; then
    skip 'systemd accepts the units' 'no systemd-analyze'
    skip 'the service is confined' 'no systemd-analyze'
else
    unit "$work/units"
    unit "$work/alerting" packaging/examples/alerts.conf
    check 'systemd accepts the units' verify "$work/units"
    check 'systemd accepts the drop-in for alerts' verify "$work/alerting"
    if systemd-analyze --help | grep -q -e --offline; then
        check 'the service is confined: an exposure of 1.5 at most' exposure "$work/units" 15
        check 'the service that sends alerts is, too: 4 at most' exposure "$work/alerting" 40
    else
        skip 'the service is confined' 'a systemd-analyze without --offline'
    fi
fi

# Ceph: a program of that name that writes down what it is called with.
mkdir "$work/bin"
cat >"$work/bin/ceph" <<'EOF'
#!/bin/sh
echo "$*" >>"$CEPH_CALLS"
[ "$2" = ls ] && echo '[{"devid": "HGST_HUSMM8080ASS200_ASSAY002"}, {"devid": "SanDisk_X_OTHER"}]'
exit 0
EOF
chmod +x "$work/bin/ceph"
ceph_calls() { # PATTERN STATE SERIAL [EVENT]
    : >"$work/calls"
    PATH="$work/bin:$PATH" CEPH_CALLS=$work/calls ASSAY_STATE=$2 ASSAY_SERIAL=$3 \
        ASSAY_EVENT=${4-change} packaging/examples/ceph-life-expectancy </dev/null || return
    cat "$work/calls"
    tail -n 1 "$work/calls" | grep -Eqx "$1"
}
date='20[0-9]{2}-[0-9]{2}-[0-9]{2}'
check 'Ceph hears when a failing drive is expected to end' ceph_calls \
    "device set-life-expectancy HGST_HUSMM8080ASS200_ASSAY002 $(date -u +%F) $date" failing ASSAY002
check 'Ceph hears of a drive with a warning' ceph_calls \
    "device set-life-expectancy HGST_HUSMM8080ASS200_ASSAY002 $date $date" warning ASSAY002
check 'Ceph hears of a recovery' ceph_calls \
    'device rm-life-expectancy HGST_HUSMM8080ASS200_ASSAY002' ok ASSAY002
check 'a drive that Ceph does not know is not told' ceph_calls 'device ls --format json' failing ELSE
