#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the running program is searched: every ratio from one run on one machine.

  bench/native_speed.py [--heddle build/release/heddle] [--rounds 3]

Threads that lock, count and unlock (programs/counter.c), 2 × 20 operations and 2 × 2 500. `repeated`: the same
execution again and again, without a search; `depth first`: without reduction; the others are the searches of verify.
`races`: with vector clocks in each execution, as `explore --no-pdp` searches. Seconds: CPU of the program's own
process, but for `races` and workers those of the clock; what one execution alone takes is taken off. The best of the
rounds counts: other load only ever adds.
"""

import argparse
import os
import pathlib
import platform
import re
import resource
import subprocess
import tempfile
import time

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
SHORT, LONG = ["-DN=2", "-DK=10"], ["-DN=2", "-DK=1250"]
SEARCHES = {"depth first": "exhaustive", "classic": "classic", "source": "source", "optimal": "optimal"}


def spent(command, environment=None, passes=()):
    """CPU seconds, wall seconds, output."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, pass_fds=passes)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done


class Instrumented:
    def __init__(self, heddle, folder, source, flags):
        self.folder = folder
        self.flags = flags
        self.explore = [heddle, "explore", "--keep", str(folder), "--no-pdp", *(f"--flag={flag}" for flag in flags),
                        str(PROGRAMS / source)]
        subprocess.run([*self.explore, "--events", "1"], capture_output=True, check=False)
        self.driver = pathlib.Path(heddle).resolve().parent / "libheddle_driver.so"

    def program(self):
        return str(self.folder / "program")

    def count(self, search, executions, repeats=0):
        """CPU and wall seconds of so many executions, and how many there were."""
        reader, writer = os.pipe()
        environment = {**os.environ, "HEDDLE_TASK": "count", "HEDDLE_SEARCH": search, "HEDDLE_DRIVER": str(self.driver),
                       "HEDDLE_ACCESSES": str(self.folder / "accesses"), "HEDDLE_EXECUTIONS": str(executions),
                       "HEDDLE_RESULT": str(writer), "HEDDLE_WEAKEST": "0",
                       "HEDDLE_REPEATS": str(repeats)}
        seconds, wall, _ = spent(["setarch", "-R", self.program()], environment, (writer,))
        os.close(writer)
        with os.fdopen(reader) as result:
            said = dict(line.partition(" ")[::2] for line in result.read().splitlines())
        return seconds, wall, int(said["executions"])

    def rate(self, search, executions, rounds):
        alone = min(self.count(search, 1)[0] for _ in range(rounds))
        seen = [self.count(search, executions) for _ in range(rounds)]
        return max(n / max(seconds - alone, 1e-6) for seconds, _, n in seen)

    def repeated(self, repeats, rounds):
        """Seconds of one execution."""
        alone = min(self.count("exhaustive", 1)[0] for _ in range(rounds))
        return min(self.count("exhaustive", 1, repeats)[0] - alone for _ in range(rounds)) / repeats

    def explored(self, events, workers):
        """What `explore` needs with vector clocks: wall seconds, executions."""
        _, wall, done = spent([*self.explore, "--events", str(events), "-j", str(workers), "--steps", "20000"])
        return wall, int(re.search(r"(\d+) executions", done.stdout)[1])

    def rate_with_clocks(self, events, rounds):
        alone = min(self.explored(1, 1)[0] for _ in range(rounds))
        seen = [self.explored(events, 1) for _ in range(rounds)]
        return max(n / max(wall - alone, 1e-6) for wall, n in seen)


def rates(short, long, rounds):
    print(f"{'executions per CPU second':34} {'2 × 20':>10} {'2 × 2 500':>10}")
    few, many = short.repeated(200_000, rounds), long.repeated(20_000, rounds)
    print(f"  {'repeated':32} {1 / few:10.0f} {1 / many:10.0f}   an operation {(many - few) / (5_009 - 49) * 1e9:.1f} ns",
          flush=True)
    for name, search in SEARCHES.items():
        print(f"  {name:32} {short.rate(search, 150_000, rounds):10.0f} "
              f"{long.rate(search, 20_000 if search == 'exhaustive' else 3_000, rounds):10.0f}", flush=True)
    print(f"  {'source, races':32} {short.rate_with_clocks(6_000_000, rounds):10.0f} "
          f"{long.rate_with_clocks(6_000_000, rounds):10.0f}", flush=True)


def against_exec(short, long, rounds):
    for name, program, executions in (("2 × 20", short, 150_000), ("2 × 2 500", long, 20_000)):
        by_driver = min(program.count("exhaustive", 1)[1] for _ in range(5 * rounds))
        threads = min(spent([program.program()])[1] for _ in range(5 * rounds))
        in_process = program.repeated(executions, rounds)
        print(f"exec per execution, {name}: {by_driver * 1e6:.0f} µs with our contexts, {threads * 1e6:.0f} µs with the "
              f"system's threads and no control; in process {in_process * 1e6:.1f} µs: × {by_driver / in_process:.0f} and "
              f"× {threads / in_process:.0f}", flush=True)


def workers(heddle, folder, rounds):
    program = Instrumented(heddle, folder, "counter.c", ["-DN=3", "-DK=5"])
    one, two = ([program.explored(10**9, n) for _ in range(rounds)] for n in (1, 2))
    print(f"workers: {one[0][1]} executions, one {min(one)[0]:.2f} s, two {min(two)[0]:.2f} s: "
          f"× {min(one)[0] / min(two)[0]:.2f}", flush=True)


def uncontrolled(heddle, folder, rounds):
    """The instrumented program, with nobody in control, against the plain one and against ThreadSanitizer."""
    for source, flags in (("counter.c", ["-DN=2", "-DK=1000000"]), ("sums.c", [])):
        program = Instrumented(heddle, folder / source, source, flags)
        times = {"instrumented": min(spent([program.program()])[0] for _ in range(rounds))}
        for name, extra in (("plain", []), ("ThreadSanitizer", ["-fsanitize=thread"])):
            built = folder / f"{source}.{name}"
            subprocess.run(["clang-19", "-O1", "-g", *flags, *extra, PROGRAMS / source, "-o", built, "-pthread"], check=True)
            times[name] = min(spent([built])[0] for _ in range(rounds))
        print(f"uncontrolled, {source}: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in times.items())
              + f": × {times['instrumented'] / times['plain']:.1f} of plain, "
              f"× {times['instrumented'] / times['ThreadSanitizer']:.2f} of ThreadSanitizer", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--rounds", type=int, default=3)
    args = p.parse_args()
    print(f"on {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        short = Instrumented(args.heddle, folder / "short", "counter.c", SHORT)
        long = Instrumented(args.heddle, folder / "long", "counter.c", LONG)
        rates(short, long, args.rounds)
        against_exec(short, long, args.rounds)
        workers(args.heddle, folder / "workers", args.rounds)
        uncontrolled(args.heddle, folder, args.rounds)


if __name__ == "__main__":
    main()
