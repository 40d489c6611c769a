#!/bin/sh
# The metrics, rules and dashboard with a real promtool, Prometheus and node exporter.
# Debian's packages are unpacked, not installed: nothing is started on the host but what
# this test starts, on the loopback, and ends. Prints TAP.
#
# usage: tests/prometheus/run.sh ASSAY
# Without root it needs the package lists of apt-get to be there.
set -u
cd "$(dirname "$0")/../.." || exit
assay=$1
cache=${ASSAY_PROMETHEUS_CACHE:-build/prometheus}
rules=packaging/prometheus/assay.rules.yml
# shellcheck source=tests/tap.sh
. tests/tap.sh
trap 'rm -rf "$work"' EXIT

cannot() {
    echo "1..0 # SKIP $1"
    exit 0
}

fetch() {
    command -v apt-get >/dev/null || cannot 'no apt-get to download Prometheus with'
    mkdir -p "$work/download"
    (cd "$work/download" && apt-get -qq -o APT::Sandbox::User=root download \
        prometheus prometheus-node-exporter) >"$work/log" 2>&1 ||
        cannot "Prometheus could not be downloaded: $(tail -n 1 "$work/log")"
    for deb in "$work/download"/*.deb; do
        dpkg-deb --extract "$deb" "$work/unpacked" || cannot 'no dpkg-deb to unpack Prometheus with'
    done
    mkdir -p "$cache"
    mv "$work/unpacked/usr/bin/promtool" "$work/unpacked/usr/bin/prometheus" \
        "$work/unpacked/usr/bin/prometheus-node-exporter" "$cache"
}
[ -x "$cache/prometheus-node-exporter" ] || fetch

lint_metrics() {
    "$assay" check -f prometheus data/drives/*.capture "$work/nothing" >"$work/metrics"
    "$cache/promtool" check metrics <"$work/metrics" >"$work/lint" 2>&1
    cat "$work/lint"
    [ -s "$work/metrics" ] && [ ! -s "$work/lint" ] # what it has to say is an error here
}

check 'promtool finds nothing wrong with the metrics' lint_metrics
check 'promtool finds nothing wrong with the rules' \
    "$cache/promtool" check rules --lint=all --lint-fatal "$rules"
check 'the rules of a day fire as they should' \
    "$cache/promtool" test rules tests/prometheus/day.test.yml
check 'the alert of wear fires in a simulated year' \
    "$cache/promtool" test rules tests/prometheus/year.test.yml
ASSAY_TEST_NUMBER=$number exec python3 tests/prometheus/live.py "$assay" "$cache" "$work"
