#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the judge `bmc` with exact enumeration of random programs: all of their races, and only these.

  bounded.py --heddle build/release/heddle --count 400 --seed 1 [--jobs 2] [--topics turn,tried] [--keep DIR]
  bounded.py --show 1:17

A program fails if it has a race that lies within the bound and none was found, if the judge found a race and could not
run it (its encoding is wrong then), or if it has none and one was found. Ends with 'N passed, M failed'.
"""
import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

from compile import BadProgram
from generate import generate
from oracles import Exact

NOT_DECIDED = "bounded model checking did not decide it either: "
# The bound, or what is not encoded: no race is claimed to be absent.
BEYOND = ("loops may go more", "cannot be put", "met its limit")


def answer_of(heddle, path):
    done = subprocess.run([heddle, "verify", "--bmc-alone", path], capture_output=True, text=True, timeout=300,
                          check=False)
    words = " ".join(done.stdout.split())
    if "verdict: race" in words:
        return "racy", ""
    return "unknown", words.partition(NOT_DECIDED)[2][:160] or done.stderr[-160:] or words[-160:]


def judge(options, number):
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = generate(f"{options.seed}:{number}", topics=options.topics.split(",") if options.topics else None)
            truth = Exact(options.states).ask(program, folder).verdict
        except BadProgram:
            return number, "no program", "none", "", ""
        path = os.path.join(folder, "program.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program.text())
        said, why = answer_of(options.heddle, path)
    wrong = ""
    if truth == "race-free" and said == "racy":
        wrong = "a race where there is none"
    elif "could not be run" in why:
        wrong = "a witness that is none"
    elif truth == "racy" and said != "racy" and not any(word in why for word in BEYOND):
        wrong = "a race was missed"
    if wrong and options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(os.path.join(options.keep, f"bounded-{options.seed}-{number}.c"), "w", encoding="utf-8") as file:
            file.write(f"// {wrong}: {why}\n{program.text()}")
    return number, truth, said, why, wrong


def parse_args():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--count", type=int, default=400)
    p.add_argument("--seed", default="1")
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--states", type=int, default=6000, help="limit of the enumeration in Python")
    p.add_argument("--topics", help="only these, with commas")
    p.add_argument("--keep", help="folder for failing programs")
    p.add_argument("--show", metavar="SEED:NUMBER", help="print one program")
    return p.parse_args()


def main():
    options = parse_args()
    if options.show:
        print(generate(options.show, topics=options.topics.split(",") if options.topics else None).text(), end="")
        return 0
    failed = 0
    table = collections.Counter()
    numbers = range(options.first, options.first + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, truth, said, why, wrong in pool.map(lambda n: judge(options, n), numbers):
            table[truth if truth in ("racy", "race-free") else "undecided", said] += 1
            if wrong:
                failed += 1
                print(f"FAIL {options.seed}:{number}: {wrong} (exact {truth}, bmc {said}): {why}", flush=True)
    print(", ".join(f"{n} {truth} called {said}" for (truth, said), n in sorted(table.items())))
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
