#!/usr/bin/env python3
"""A check's file on its whole way: node exporter, Prometheus, rules, alerts, dashboard.

usage: live.py ASSAY FOLDER-OF-PROGRAMS WORK-FOLDER     prints TAP

WORK-FOLDER is removed at the end. sde is the healthy HGST drive with 93 % of its life
used; a year of hourly records, made here, leads there from 30 %.
"""
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ASSAY, PROGRAMS, WORK = (os.path.abspath(path) for path in sys.argv[1:4])
RULES = os.path.abspath("packaging/prometheus/assay.rules.yml")
DASHBOARD = "packaging/grafana/assay.json"
DRIVES = {
    "sda": "hgst-ultrastar-ssd800mm-800gb-worn",
    "sdb": "sandisk-cloudspeed-eco-960gb-healthy",
    "sdc": "sandisk-lightning-lb406s-worn",
    "sdd": "sandisk-ultra-plus-256gb-healthy",
    "sde": "hgst-ultrastar-ssd800mm-800gb-healthy",
}
USED_4_PERCENT = "11 00 00 08 00 01 03 04 00 00 00 04"
HOUR, DAY = 3600, 86400
FIRST_USED, LAST_USED = 0.30, 0.93
number = int(os.environ.get("ASSAY_TEST_NUMBER", "0"))
failed = False
started = []


def test(sentence, good, found=""):
    """found: what is told where it is not good."""
    global number, failed
    number += 1
    if not good:
        failed = True
        print("# " + str(found)[:2000].replace("\n", "\n# "))
    print(f"{'' if good else 'not '}ok {number} - {sentence}", flush=True)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(name, *arguments):
    with open(f"{WORK}/{name}.log", "w") as log:
        process = subprocess.Popen([f"{PROGRAMS}/{name}", *arguments], stdout=log, stderr=log)
    started.append(process)
    return process


def stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    started.remove(process)


def promtool(*arguments):
    return subprocess.run([f"{PROGRAMS}/promtool", *arguments], check=True, capture_output=True)


def wait(what, limit=60):
    """The first true answer of what(), or the last one."""
    end = time.time() + limit
    while True:
        try:
            answer = what()
        except OSError:
            answer = None
        if answer or time.time() > end:
            return answer
        time.sleep(0.2)


class Prometheus:
    def __init__(self, exporter_port):
        self.port = free_port()
        self.config = f"{WORK}/prometheus.yml"
        with open(self.config, "w") as file:
            file.write(f"""
global: {{ scrape_interval: 1s, evaluation_interval: 1s }}
rule_files: [ {WORK}/rules.yml ]
scrape_configs:
  - job_name: node
    static_configs: [ {{ targets: [ "127.0.0.1:{exporter_port}" ], labels: {{ instance: host }} }} ]
""")

    def start(self, *options):
        self.process = start(
            "prometheus", f"--config.file={self.config}", f"--storage.tsdb.path={WORK}/data",
            f"--web.listen-address=127.0.0.1:{self.port}", "--storage.tsdb.retention.time=2y",
            "--log.level=warn", *options)
        return wait(self.ready)

    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def ready(self):
        return urllib.request.urlopen(self.url() + "/-/ready", timeout=5).status == 200

    def ask(self, path, **parameters):
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url()}/api/v1/{path}?{query}", timeout=30) as answer:
            return json.load(answer)["data"]

    def query(self, expression):
        return self.ask("query", query=expression)["result"]

    def alerts(self, name):
        return {alert["labels"].get("drive") or alert["labels"].get("serial"): alert["state"]
                for alert in self.ask("alerts")["alerts"] if alert["labels"]["alertname"] == name}


def make_drives():
    os.mkdir(f"{WORK}/drives")
    for node, drive in DRIVES.items():
        shutil.copy(f"data/drives/{drive}.capture", f"{WORK}/drives/{node}")
    with open(f"{WORK}/drives/sde") as file:
        text = file.read()
    assert text.count(USED_4_PERCENT) == 1
    with open(f"{WORK}/drives/sde", "w") as file:
        file.write(text.replace(USED_4_PERCENT, USED_4_PERCENT[:-2] + f"{round(LAST_USED * 100):02x}"))


def check_drives():
    """The textfile collector's file; returns its samples."""
    os.mkdir(f"{WORK}/textfile")
    subprocess.run([ASSAY, "check", "-f", "prometheus", "-o", f"{WORK}/textfile/assay.prom",
                    *DRIVES, "sda", "sdz"], cwd=f"{WORK}/drives", stderr=subprocess.DEVNULL)
    samples = {}
    with open(f"{WORK}/textfile/assay.prom") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, labels, value = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)\n", line).groups()
            key = name, tuple(sorted(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or "")))
            assert key not in samples, line
            samples[key] = float(value)
    return samples


def write_year(end):
    """Hourly records of a year until `end`, in steps of 1 %, as the drive counts."""
    info = 'job="node",instance="host",drive="sde",model="HUSMM8080ASS200",serial="ASSAY001"'
    with open(f"{WORK}/year", "w") as file:
        for name, labels in ("assay_drive_info", info), ("assay_endurance_used_ratio", info[:38]):
            file.write(f"# TYPE {name} gauge\n")
            for hour in range(365 * 24):
                used = FIRST_USED + (LAST_USED - FIRST_USED) * hour / (365 * 24)
                value = 1 if name == "assay_drive_info" else math.floor(used * 100) / 100
                file.write(f"{name}{{{labels}}} {value} {end - 365 * DAY + hour * HOUR}\n")
        file.write("# EOF\n")
    promtool("tsdb", "create-blocks-from", "--max-block-duration=486h", "openmetrics",
             f"{WORK}/year", f"{WORK}/data")


def write_rules(name):
    """The rules as they are shipped, with seconds to wait in place of hours; record.yml: no alerts."""
    with open(RULES) as file:
        text = file.read()
    if name == "record.yml":
        text = text[:text.index("  - name: assay-alert")]
    with open(f"{WORK}/{name}", "w") as file:
        file.write(re.sub(r"\n        for: \w+\n", "\n        for: 3s\n", text))


def backfill(prometheus, end):
    """What the recording rules would have recorded in that year."""
    promtool("tsdb", "create-blocks-from", "--max-block-duration=486h", "rules",
             f"--start={end - 365 * DAY}", f"--end={end - HOUR}", "--eval-interval=3h",
             f"--output-dir={WORK}/data", f"--url={prometheus.url()}", f"{WORK}/record.yml")


def missing(prometheus, samples):
    """Samples of the file that Prometheus does not have."""
    lost = []
    for (name, labels), value in samples.items():
        selector = ",".join(f'{label}="{text}"' for label, text in labels)
        found = prometheus.query(f"{name}{{{selector}}}")
        if len(found) != 1 or float(found[0]["value"][1]) != value:
            lost.append((name, selector, value, found))
    return lost


def test_scrape(prometheus, samples):
    wait(lambda: prometheus.query("assay_check_timestamp_seconds"))
    lost = missing(prometheus, samples)
    test(f"each of the {len(samples)} lines of the file is a series of Prometheus, with that value",
         not lost and len(samples) > 80, lost)
    errors = prometheus.query("node_textfile_scrape_error")
    test("the node exporter finds no fault with the file",
         errors and errors[0]["value"][1] == "0", errors)
    drives = {node: value for (name, labels), value in samples.items()
              if name == "assay_check_success" for _, node in labels}
    test("a drive that was named twice stands there once, one that is not there as not readable",
         drives == {**{node: 1 for node in DRIVES}, "sdz": 0}, drives)


def test_year(prometheus, end):
    """On which day the projection first says that the rating ends within 90 days."""
    answer = prometheus.ask(
        "query_range", start=end - 365 * DAY, end=end - HOUR, step=DAY,
        query='predict_linear(drive:assay_endurance_used:ratio[30d], 90 * 86400) >= 1')["result"]
    first = round((answer[0]["values"][0][0] - (end - 365 * DAY)) / DAY) if answer else None
    due = (1 - FIRST_USED) / (LAST_USED - FIRST_USED) * 365 - 90
    test(f"the projection over a year tells the end 90 days before, by 12 days (day {first}, "
         f"due {due:.0f})", first and abs(first - due) <= 12, answer[:1])


def test_alerts(prometheus):
    wait(lambda: "firing" in prometheus.alerts("AssayDriveWearsOut").values())
    seen = {(series["metric"]["serial"], series["metric"]["alertstate"]) for series in
            prometheus.query('last_over_time(ALERTS{alertname="AssayDriveWearsOut"}[5m])')}
    test("the alert of wear is pending, then fires, for the drive that wears out alone",
         seen == {("ASSAY001", "pending"), ("ASSAY001", "firing")}, seen)
    failing = wait(lambda: prometheus.alerts("AssayDriveFailing"))
    test("the alert of a failing drive fires for that drive", failing == {"sda": "firing"}, failing)
    worn = wait(lambda: prometheus.alerts("AssayDriveWornOut"))
    test("a rating that is consumed is told for that drive", worn == {"ASSAY002": "firing"}, worn)


def test_dashboard(prometheus):
    with open(DASHBOARD) as file:
        dashboard = json.load(file)
    problems = []
    count = 0
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            expression = target["expr"].replace("$job", ".*").replace("$instance", ".*")
            count += 1
            try:
                found = prometheus.query(expression)
            except urllib.error.HTTPError as error:
                problems.append((panel["title"], error.read()))
                continue
            if re.search(r"rate\(|increase\(", expression):  # which need time
                continue
            # recording rules have their turn after the first scrape
            if not found and not wait(lambda query=expression: prometheus.query(query), 30):
                problems.append((panel["title"], "nothing to show", expression))
    test(f"each of the {count} expressions of the dashboard has something to show",
         not problems and count > 20, problems)


def run():
    end = int(time.time()) // (2 * HOUR) * (2 * HOUR)  # blocks are of two hours
    make_drives()
    samples = check_drives()
    write_rules("record.yml")
    write_year(end)
    port = free_port()
    prometheus = Prometheus(port)
    # the evaluation is not at the hour, and must find what was recorded then
    prometheus.start("--query.lookback-delta=1h")
    backfill(prometheus, end)
    stop(prometheus.process)
    write_rules("rules.yml")
    start("prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
          f"--collector.textfile.directory={WORK}/textfile", f"--web.listen-address=127.0.0.1:{port}")
    prometheus.start()
    test_scrape(prometheus, samples)
    test_year(prometheus, end)
    test_alerts(prometheus)
    test_dashboard(prometheus)


try:
    run()
except Exception as error:  # a step that fails is a test that fails
    test("the test runs to its end", False, f"{error!r} {getattr(error, 'stderr', '')}")
finally:
    for process in list(started):
        stop(process)
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(failed)
