#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executions per CPU second of the systematic searches, beside what other stateless model checkers reach.

usage: explore_speed.py HEDDLE [--perf]

Time to read and lower the program is measured apart and taken off. `races` is the same search with vector clocks
looking for races in every execution, which the others do not do. The figures of Nidhugg and GenMC were measured on a
2-core aarch64 machine under sequential consistency; they are quoted, not measured here, so a ratio is rough, and those
of quicksort belong to another program of that size (7 314 traces, this one has 2 874). --perf: also where the time
goes, if perf is installed.
"""
import argparse
import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
# name, source, flags, what Nidhugg (source/optimal) and GenMC do per CPU second
ROWS = [
    ("counter 3x3", "counter.c", ["-DN=3", "-DK=3"], "8100-8800", "8000-9300"),
    ("counter 4x2", "counter.c", ["-DN=4", "-DK=2"], "8100-8800", "8000-9300"),
    ("readers 3", "readers.c", ["-DN=3"], "6650-6900", "9150"),
    ("quicksort 3x4", "quicksort.c", [], "3400-3500", "no conditions"),
]


def enumerate_once(heddle, source, flags, options):
    """What the search saw, and the CPU seconds of the process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([heddle, "enumerate", *options, PROGRAMS / source, "--", *flags], capture_output=True,
                          text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return next(iter(json.loads(done.stdout)["searches"].values())), spent


def measure(heddle, source, flags, mode, extra):
    _, reading = enumerate_once(heddle, source, flags, ["--budget", "1"])
    seen, spent = enumerate_once(heddle, source, flags, ["--mode", mode, "--budget", "1000000000", *extra])
    return seen, max(spent - reading, 1e-3)


def table(heddle):
    print(f"on {platform.machine()}, {os.cpu_count()} cores")
    print(f"{'program':14} {'mode':8} {'traces':>7} {'executions':>10} {'/s':>8} {'/s, races':>9} {'Minstr/s':>8}   Nidhugg/s  GenMC/s")
    for name, source, flags, nidhugg, genmc in ROWS:
        for mode in ("source", "optimal"):
            seen, spent = measure(heddle, source, flags, mode, ["--no-races"])
            _, watched = measure(heddle, source, flags, mode, [])
            n = seen["executions"] + seen["sleep_blocked"]
            print(f"{name:14} {mode:8} {seen['traces']:7} {n:10} {n / spent:8.0f} {n / watched:9.0f} "
                  f"{seen['instructions'] / spent / 1e6:8.1f}   {nidhugg:10} {genmc}", flush=True)


def profile(heddle):
    if not shutil.which("perf"):
        print("perf is not installed: nothing is said about where the time goes")
        return
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "perf.data"
        subprocess.run(["perf", "record", "-q", "-o", data, heddle, "enumerate", "--no-races", "--budget", "1000000000",
                        PROGRAMS / "readers.c"],
                       capture_output=True, check=True)
        shown = subprocess.run(["perf", "report", "-i", data, "--stdio", "--percent-limit", "1", "-g", "none"],
                               capture_output=True,
                               text=True, check=True)
        print("\nwhere the time goes (readers 3, optimal)")
        print("\n".join(line for line in shown.stdout.splitlines() if line and not line.startswith("#")))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("heddle")
    p.add_argument("--perf", action="store_true")
    args = p.parse_args()
    table(args.heddle)
    if args.perf:
        profile(args.heddle)


if __name__ == "__main__":
    main()
