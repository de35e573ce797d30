#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replays found schedules many times: every replay must reach its race and print the same bytes.

    tests/replay_many.py --heddle build/release/heddle [--count 10000] [--processes 300]

The schedules are those of `heddle verify --schedule` on the racy programs of tests/programs. --processes of the replays
are processes of their own; the others are spread over the schedules with `heddle replay --times`, each from a fresh
machine. The last line is `N passed, M failed`, in replays.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
FLAGS = re.compile(r"^// FLAGS: *(\S.*)$", re.MULTILINE)


def schedules(heddle, folder, wanted):
    """Schedules of as many programs as give one, at most `wanted`."""
    found = []
    for source in sorted(PROGRAMS.rglob("*_racy.c*")):
        if len(found) == wanted:
            break
        flags = FLAGS.search(source.read_text(encoding="utf-8"))
        path = pathlib.Path(folder) / f"{len(found)}.schedule"
        command = [heddle, "verify", "--schedule", path, source] + (["--", *flags[1].split()] if flags else [])
        subprocess.run(command, capture_output=True, check=False)
        if path.exists():
            found.append(path)
    return found


def replay(heddle, schedule, times):
    done = subprocess.run([heddle, "replay", "--times", str(times), schedule], capture_output=True, check=False)
    return done.stdout if done.returncode == 1 else None


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--count", type=int, default=10000)
    p.add_argument("--processes", type=int, default=300)
    p.add_argument("--schedules", type=int, default=1000, help="at most so many")
    args = p.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        found = schedules(args.heddle, folder, args.schedules)
        if not found:
            print("no program gave a schedule\n0 passed, 1 failed")
            return 1
        first = {}
        for n in range(args.processes):
            schedule = found[n % len(found)]
            shown = replay(args.heddle, schedule, 1)
            good = shown is not None and shown == first.setdefault(schedule, shown)
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"{schedule.name}: a replay failed or differs")
        rest = args.count - args.processes
        for n, schedule in enumerate(found):
            times = rest // len(found) + (n < rest % len(found))
            if times <= 0:
                continue
            shown = replay(args.heddle, schedule, times)
            good = shown is not None and shown == first.setdefault(schedule, shown)
            passed, failed = passed + times * good, failed + times * (not good)
            if not good:
                print(f"{schedule.name}: one of {times} replays failed or differs")
        print(f"{len(found)} schedules")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
