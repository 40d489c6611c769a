#!/usr/bin/python3
"""The engine of `assay bench` beside fio: processor time per access, rates, latencies, start-up.

usage: bench_engine.py ASSAY

Runs are interleaved, figures are medians of paired ratios of this run. fio's start-up is taken off
its processor time, and assay's off its own.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = int(os.environ.get("BENCH_PAIRS", "7"))
SECONDS = 2
FILE_BYTES = 1 << 30
AGREEMENT_BYTES = 32 << 20
missed = []


class Run:
    """One process: what it printed, its processor time in seconds, its wall time."""

    def __init__(self, argv):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        out = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.wall = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.user = after.ru_utime - before.ru_utime
        self.cpu = self.user + after.ru_stime - before.ru_stime
        if not out.stdout.lstrip().startswith("{"):
            raise SystemExit(f"{' '.join(argv)}: {out.stderr}{out.stdout}")
        self.json = json.loads(out.stdout)


class Assay(Run):
    def __init__(self, program, target, *options):
        super().__init__([program, "bench", target, "-q", "-j", "-W", "sr-4k-rr-scale", *options])
        row = self.json["tables"]["bench"][-1]
        self.ios, self.iops = row["read_count"], row["iops"]
        # of an open loop: since it was given to the kernel, as fio counts
        self.mean_us = row.get("service_mean_us") or row["mean_us"]
        self.p99_us = row.get("service_p99_us") or row["p99_us"]


class Fio(Run):
    def __init__(self, *options):
        super().__init__(["fio", "--name=it", "--bs=4k", "--rw=randread", "--norandommap", "--thread",
                          "--lat_percentiles=1", "--output-format=json", *options])
        read = self.json["jobs"][0]["read"]
        self.ios, self.iops = read["total_ios"], read["iops"]
        # lat begins before the access is given to the kernel, as assay's latency does; clat begins after
        # that, which at one outstanding is half of the time
        latency = read["lat_ns"]
        self.mean_us = latency["mean"] / 1e3
        self.p99_us = latency.get("percentile", {}).get("99.000000", 0) / 1e3


def timed(seconds):
    return ["--time_based", f"--runtime={seconds}"]


def batches(depth):
    """What assay does at this depth, in fio's words."""
    batch = 1 if depth <= 4 else min(depth // 4, 32)
    return [f"--iodepth={depth}", f"--iodepth_batch_submit={batch}", f"--iodepth_batch_complete_min={batch}",
            f"--iodepth_batch_complete_max={depth}"]


def tuned(depth):
    return ["--fixedbufs", "--registerfiles", "--nonvectored=1", *batches(depth)]


def per_io(run, start):
    return max(run.cpu - start, 1e-9) / run.ios * 1e9


def line(what, ratio, limit, above=False, note=""):
    kept = ratio >= limit if above else ratio <= limit
    if not kept:
        missed.append(what)
    print(f"{what:58} {ratio:7.3f}  wanted {'>=' if above else '<='} {limit:<5}"
          f" {'kept' if kept else 'MISSED'}  {note}")


def medians(rows):
    return [statistics.median(column) for column in zip(*rows)]


def bare_loop(work, depth):
    """Nanoseconds of the processor for each operation of the barest loop, same depth and batch."""
    program = os.path.join(work, "nop_loop")
    if not os.path.exists(program):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nop_loop.c")
        subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", program, source, "-luring"], check=True)
    batch = 1 if depth <= 4 else min(depth // 4, 32)
    out = subprocess.run([program, str(depth), str(batch), "1"], stdout=subprocess.PIPE, text=True, check=True)
    count, seconds = out.stdout.split()
    return float(seconds) / int(count) * 1e9


def no_device(assay, target, fio_start, start):
    """The kernel's part of an operation that does nothing is in assay's cost, and not in fio's, whose
    null engine stays outside the kernel: so the barest loop is measured beside them, too."""
    work = os.path.dirname(target)
    for depth in (32, 128):
        null = ["--ioengine=null", "--size=1g", *timed(1)]
        rows = []
        for _ in range(PAIRS):
            ours = Assay(assay, target, "--engine", "none", "-Q", str(depth), "-t", "1")
            same = Fio(*null, *batches(depth))
            default = Fio(*null, f"--iodepth={depth}")
            cost, user = per_io(ours, start), max(ours.user - start, 0) / ours.ios * 1e9
            peer, peer_default = per_io(same, fio_start), per_io(default, fio_start)
            bare = bare_loop(work, depth)
            rows.append((cost / peer, cost / peer_default, bare / peer, (cost - bare) / peer, user / peer,
                         cost, user, bare, peer, peer_default))
        ratio, to_default, bare_ratio, rest, outside, *ns = medians(rows)
        line(f"no device, Q{depth}: cost per access, assay / fio, same batch", ratio, 0.20,
             note="{:.0f} ns, {:.0f} of them outside the kernel; bare loop {:.0f}, fio {:.0f}, "
                  "fio's default {:.0f}".format(*ns))
        print(f"    the bare loop / fio {bare_ratio:.3f}; assay / fio's default {to_default:.3f}")
        line(f"no device, Q{depth}: assay less the bare loop / fio, same batch", rest, 0.20)
        line(f"no device, Q{depth}: outside the kernel, assay / fio, same batch", outside, 0.20)


def device(assay, target, fio_start, start):
    common = ["--ioengine=io_uring", "--direct=1", f"--filename={target}", f"--size={FILE_BYTES}",
              *timed(SECONDS)]
    for depth in (32, 128):
        rows = []
        for _ in range(PAIRS):
            ours = Assay(assay, target, "-Q", str(depth), "-t", str(SECONDS))
            plain = Fio(*common, f"--iodepth={depth}")
            best = Fio(*common, *tuned(depth))
            cost = per_io(ours, start)
            rows.append((cost / per_io(plain, fio_start), cost / per_io(best, fio_start),
                         ours.iops / max(plain.iops, best.iops), cost, ours.iops))
        to_plain, to_best, iops, cost, rate = medians(rows)
        line(f"file, O_DIRECT, Q{depth}: processor time, assay / fio default", to_plain, 0.70,
             note=f"{cost:.0f} ns")
        line(f"file, O_DIRECT, Q{depth}: processor time, assay / fio tuned", to_best, 0.90)
        line(f"file, O_DIRECT, Q{depth}: IOPS, assay / better fio", iops, 0.9, True, f"{rate:.0f} IOPS")


def recording(assay, target, start):
    rows = []
    for _ in range(PAIRS):
        on = Assay(assay, target, "-Q", "128", "-t", str(SECONDS))
        off = Assay(assay, target, "-Q", "128", "-t", str(SECONDS), "--no-latency")
        rows.append((per_io(on, start) / per_io(off, start),))
    line("file, Q128: recording latencies, with / without", medians(rows)[0], 1.03)


def start_up(assay, target):
    """Beside a program that does nothing, as the first thing to wait for is a processor."""
    rows = []
    for _ in range(PAIRS):
        started = time.perf_counter()
        subprocess.run(["true"], check=True)
        nothing = time.perf_counter() - started
        run = Assay(assay, target, "-Q", "1", "-t", "1")
        rows.append((run.wall - 1, nothing))
    wall, nothing = medians(rows)
    line("start-up of a point of 1 s, ms", wall * 1e3, 20, note=f"a program that does nothing: {nothing * 1e3:.1f}")
    out = subprocess.run(["/usr/bin/time", "-f", "%M", assay, "bench", target, "-q", "-o", "/dev/null", "-W",
                          "sr-4k-rr-scale", "-Q", "32", "-t", "1"], stderr=subprocess.PIPE, text=True, check=False)
    line("resident, MB (32 buffers of 4 KiB in it)", int(out.stderr.split()[-1]) / 1024, 8.2)


def warm(target):
    """Reads what agreement() reads. Below a virtual drive there are caches, and each program has its own
    addresses, the same in each run: those of one program may be in them, and those of the other not."""
    subprocess.run(["dd", f"if={target}", "of=/dev/null", "bs=1M", f"count={AGREEMENT_BYTES >> 20}",
                    "iflag=direct", "status=none"], check=True)


def agreement(assay, target):
    """Short runs in turn, in both orders, of a part of the file that is read before. One outstanding, or a fixed rate: else
    fio's mean is less by the time for which its slots are empty."""
    common = ["--ioengine=io_uring", "--direct=1", f"--filename={target}", f"--size={AGREEMENT_BYTES}",
              *timed(1)]
    for what, depth, ours_more, peers_more in (
            ("Q1", 1, [], tuned(1)),
            ("2000 IOPS", 8, ["--rate", "2000"], ["--iodepth=8", "--rate_iops=2000"])):
        rows = []
        warm(target)
        for i in range(4 * PAIRS):
            # what runs first finds the host otherwise than what runs after it
            if i % 2:
                peer = Fio(*common, *peers_more)
            ours = Assay(assay, target, "-Q", str(depth), "-t", "1", "--span", str(AGREEMENT_BYTES), *ours_more)
            if not i % 2:
                peer = Fio(*common, *peers_more)
            rows.append((ours.iops / peer.iops, ours.mean_us / peer.mean_us, ours.p99_us / peer.p99_us))
        for figure, ratio in zip(("IOPS", "mean latency", "p99 latency"), medians(rows)):
            line(f"file, {what}: {figure}, assay / fio, apart", abs(ratio - 1), 0.05, note=f"ratio {ratio:.3f}")


class Zram:
    """A block device of memory; None where there can be none. Its data cannot be compressed."""

    BYTES = 256 << 20

    def __enter__(self):
        self.number = None
        try:
            with open("/sys/class/zram-control/hot_add", encoding="ascii") as f:
                self.number = int(f.read())
            with open(f"/sys/block/zram{self.number}/disksize", "w", encoding="ascii") as f:
                f.write(str(self.BYTES))
            with open(f"/dev/zram{self.number}", "wb") as f:
                for _ in range(self.BYTES >> 20):
                    f.write(os.urandom(1 << 20))
        except OSError:
            return None
        return f"/dev/zram{self.number}"

    def __exit__(self, *_):
        if self.number is not None:
            with open("/sys/class/zram-control/hot_remove", "w", encoding="ascii") as f:
                f.write(str(self.number))


def memory_device(assay, what, node, size):
    for depth in (32, 128):
        rows = []
        for _ in range(PAIRS):
            ours = Assay(assay, node, "-Q", str(depth), "-t", "1")
            peer = Fio("--ioengine=io_uring", "--direct=1", f"--filename={node}", f"--size={size}",
                       f"--iodepth={depth}", *timed(1))
            rows.append((ours.iops / peer.iops, ours.iops))
        ratio, rate = medians(rows)
        line(f"{what}, Q{depth}: IOPS, assay / fio default", ratio, 1.4, True, f"{rate:.0f} IOPS")


def no_limit(assay):
    """Where no device is the limit: zram for root, else a file of tmpfs."""
    with Zram() as node:
        if node:
            memory_device(assay, "zram", node, Zram.BYTES)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as work:
        target = os.path.join(work, "file")
        Assay(assay, target, "--size", str(Zram.BYTES), "-Q", "1", "-t", "0.1")
        memory_device(assay, "file of tmpfs", target, Zram.BYTES)


def main(assay):
    print(f"\nassay bench beside {subprocess.getoutput('fio --version')}; {PAIRS} pairs each, load average "
          f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR", "build")) as work:
        target = os.path.join(work, "file")
        Assay(assay, target, "--size", str(FILE_BYTES), "-Q", "1", "-t", "0.1")
        fio_start = statistics.median(
            Fio("--ioengine=null", "--size=1g", "--number_ios=1").cpu for _ in range(5))
        start = statistics.median(
            Assay(assay, target, "-Q", "1", "--stop-ios", "1").cpu for _ in range(5))
        no_device(assay, target, fio_start, start)
        device(assay, target, fio_start, start)
        recording(assay, target, start)
        start_up(assay, target)
        agreement(assay, target)
        no_limit(assay)
    print(f"missed: {len(missed)}")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
