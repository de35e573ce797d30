#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the search that prunes (src/explore/prune/) with the same search without pruning.

  pruned.py --heddle build/release/heddle [--count 300] [--seed pruned] [--programs tests/programs] [--budget 20000]
            [--native]

A program fails if the search that prunes ends without a race and without a gap where the other one has found a race, or
if it needs more executions. Random programs, half of them of tempting.py, and each file below --programs. Ends with the
sums of both searches and 'N passed, M failed'. With --native the programs themselves are run, and the search that
prunes must visit as many executions, with as many checks, as over the interpreter.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from compile import BadProgram
from families import generate_family
from generate import generate
from tempting import generate_tempting
from wild_main import generate_wild

HERE = pathlib.Path(__file__).resolve().parent
MODES = ("unpruned", "pruned")


def random_program(name, tempting):
    number = int(name.rpartition(":")[2])
    if tempting or number % 8 >= 4:
        return generate_tempting(name)
    if number % 4 == 3:
        return generate_family(name, None)
    return generate_wild(name) if number % 2 else generate(name)


def write_programs(args, folder):
    for number in range(args.first, args.first + args.count):
        try:
            text = random_program(f"{args.seed}:{number}", args.tempting).text()
        except BadProgram:
            continue
        path = os.path.join(folder, f"{number}.c")
        pathlib.Path(path).write_text(text, encoding="utf-8")
        yield path


def files_below(folder):
    return sorted(str(p) for p in pathlib.Path(folder).rglob("*") if p.suffix in (".c", ".cpp"))


def answers(args, paths, weakest, native):
    """(file, answer) for each program; a process that dies or hangs costs the one program it was at."""
    command = [args.heddle, "enumerate", "--batch", "--mode", ",".join(MODES), "--grain", args.grain, "--budget",
               str(args.budget)] + (["--weakest"] if weakest else []) + (["--native"] if native else [])
    left = list(paths)
    while left:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True)
        while left:
            process.stdin.write(left[0] + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                yield left.pop(0), {"error": "no answer"}
                break
            yield left.pop(0), json.loads(line)
        process.stdin.close()
        process.wait()


def judge(plain, pruned):
    """The name of what is wrong, or ''; and whether the pair of searches says anything."""
    if not pruned["complete"]:
        return ("pruning does not end" if plain["complete"] else ""), plain["complete"]
    if plain["race"] and not pruned["race"]:
        return ("" if pruned["gaps"] else "race missed"), True
    if pruned["race"] and plain["complete"] and not plain["race"]:
        return "race that is none", True
    if plain["complete"] and pruned["executions"] > plain["executions"]:
        return f"{pruned['executions']} executions, without pruning {plain['executions']}", True
    return "", True


def same_everywhere(native, interpreted):
    """What the two executors do not agree on, or ''. Programs of which one can run less are no matter."""
    if native["gaps"] or interpreted["gaps"] or not (native["complete"] and interpreted["complete"]):
        return ""
    if native["checks"] > 0 and interpreted["checks"] == 0:  # it knows less of library calls, and does not prune then
        return ""
    for key in ("executions", "checks", "yes", "skipped"):
        if native[key] != interpreted[key]:
            return f"{key}: {native[key]} in the running program, {interpreted[key]} interpreted"
    return ""


def parse_args():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--count", type=int, default=300)
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--seed", default="pruned")
    p.add_argument("--budget", type=int, default=20000)
    p.add_argument("--grain", default="sync")
    p.add_argument("--every", type=int, default=1, help="take each Nth program of the folders only")
    p.add_argument("--programs", action="append", default=[], help="folders with further programs")
    p.add_argument("--native", action="store_true", help="run the programs themselves, too")
    p.add_argument("--tempting", action="store_true", help="only random programs of tempting.py")
    p.add_argument("--keep", help="folder for failing programs")
    p.add_argument("--verbose", action="store_true", help="a line for each program")
    return p.parse_args()


def main():
    args = parse_args()
    sums, passed, wrong = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        paths = list(write_programs(args, folder))
        for below in args.programs:
            paths += files_below(below)[::args.every]
        for weakest in (False, True):
            both = zip(answers(args, paths, weakest, args.native),
                       answers(args, paths, weakest, False) if args.native else itertools.repeat((None, None)))
            for (path, answer), (_, interpreted) in both:
                if "error" in answer or (interpreted and "error" in interpreted):
                    sums["no program"] += 1
                    continue
                plain, pruned = (answer["searches"][f"{args.grain} {mode}"] for mode in MODES)
                what, counts = judge(plain, pruned)
                if interpreted and not what:
                    what = same_everywhere(pruned, interpreted["searches"][f"{args.grain} pruned"])
                if what:
                    wrong += 1
                    print(f"FAIL {path}{' --weakest' if weakest else ''}: {what}", flush=True)
                    if args.keep:
                        os.makedirs(args.keep, exist_ok=True)
                        shutil.copy(path, args.keep)
                    continue
                passed += 1
                if args.verbose:
                    print(path, plain["executions"], pruned["executions"], pruned["checks"], pruned["yes"])
                if not counts:
                    sums["neither ends"] += 1
                    continue
                sums["racy" if pruned["race"] else "with gaps" if pruned["gaps"] else "race-free"] += 1
                sums["race beside gaps missed"] += bool(plain["race"] and not pruned["race"])
                sums["fewer executions"] += pruned["executions"] < plain["executions"]
                sums["only with pruning"] += not plain["complete"]
                for key in ("executions", "events"):
                    sums[f"{key} without"] += plain[key]
                    sums[f"{key} with"] += pruned[key]
                for key in ("checks", "yes", "skipped", "looks"):
                    sums[key] += pruned[key]
    print(", ".join(f"{k} {n}" for k, n in sorted(sums.items())))
    print(f"{passed} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
