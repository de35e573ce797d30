#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `heddle explore`, which runs the program, with the exact answer for random programs.

  explored.py --heddle build/release/heddle --count 100 --seed 1 [--jobs 2] [--keep DIR]

Programs are those of differ.py: trees that Python enumerates, and families that know their own truth. A wrong race or a
wrong race-free fails; unknown does not. Ends with 'N passed, M failed'.
"""
import argparse
import collections
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import limits
from compile import BadProgram
from families import generate_family
from families.frame import FamilyProg
from generate import generate
from oracles import Exact, Families

SECONDS = 10
# The others ask for inputs or let calls fail, which a run of the program does not.
FAMILIES = ["objects", "errno", "exceptions"]


def truth_of(prog, heddle):
    if isinstance(prog, FamilyProg):
        return Families(heddle).truth(prog)
    return Exact().ask(prog, None)


def verdict_of(heddle, text, suffix, folder):
    path = pathlib.Path(folder) / ("p" + suffix)
    path.write_text(text, encoding="utf-8")
    line = [heddle, "explore", str(path), "--timeout", str(SECONDS)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, cwd=folder, check=False,
                              timeout=limits.seconds(SECONDS + 10))
    except subprocess.TimeoutExpired:
        return "no answer"
    lines = done.stdout.strip().splitlines()
    if not lines or not lines[-1].startswith("verdict: "):
        return f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
    return lines[-1].removeprefix("verdict: ")


def judge(exact, verdict):
    """What is wrong; empty: nothing."""
    if verdict not in ("race", "race-free", "unknown"):
        return verdict
    if verdict == "race-free" and exact.verdict == "racy" and exact.detail != "by input":
        return "race-free, and has a race"
    if verdict == "race" and exact.verdict in ("race-free", "ambiguous"):
        return "race, and has none"
    return ""


def one(job):
    arguments, number = job
    name = f"{arguments.seed}:{number}"
    try:
        prog = generate_family(name, FAMILIES) if number % 2 else generate(name)
        exact = truth_of(prog, arguments.heddle)
        if exact.verdict.startswith("undefined"):
            return "undefined", "none", "", ""
        text = prog.text()
        suffix = getattr(prog, "suffix", ".c")
        with tempfile.TemporaryDirectory() as folder:
            verdict = verdict_of(arguments.heddle, text, suffix, folder)
        return exact.verdict, verdict, judge(exact, verdict), text
    except BadProgram:
        return "no program", "none", "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="folder for programs with wrong answers")
    arguments = parser.parse_args()
    arguments.heddle = str(pathlib.Path(arguments.heddle).resolve())
    numbers = range(arguments.first, arguments.first + arguments.count)
    table, failed = collections.Counter(), 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for number, result in zip(numbers, pool.imap(one, [(arguments, n) for n in numbers])):
            exact, verdict, wrong, text = result
            table[exact, verdict if verdict in ("race", "race-free", "unknown") else "none"] += 1
            if not wrong:
                continue
            failed += 1
            print(f"FAIL {arguments.seed}:{number}: {wrong}", flush=True)
            if arguments.keep:
                pathlib.Path(arguments.keep).mkdir(parents=True, exist_ok=True)
                (pathlib.Path(arguments.keep) / f"{arguments.seed}-{number}.c").write_text(text)
    for (exact, verdict), count in sorted(table.items()):
        print(f"{count:6} {exact}, explored: {verdict}")
    print(f"{arguments.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
