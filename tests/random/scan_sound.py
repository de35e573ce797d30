#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `heddle scan --sound` list every race of random programs?

  scan_sound.py --heddle build/release/heddle --count 1000 --seed 1 [--jobs 2] [--keep DIR]

Programs are those of differ.py. Of a tree that Python can run, every pair of lines that races in some interleaving must
be among the warnings; of other programs, every pair that `verify` confirmed by a run. A pair may also be covered by one
that is counted and not listed ("N more pairs of accesses to it"): then one of its lines must be listed.
The last line is `N passed, M failed`.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from compile import BadProgram
from differ import program_named
from lang import Prog
from oracles import Exact, Heddle

SECONDS = 60


def ask(heddle, command, path, more):
    run = subprocess.run([heddle, command, "--format", "json", *more, path], capture_output=True, text=True,
                         timeout=SECONDS, errors="replace")
    start = run.stdout.find("{")
    if start < 0:
        raise BadProgram(run.stderr[-300:])
    return json.JSONDecoder().raw_decode(run.stdout[start:])[0]


def confirmed(report):
    """Pairs of lines that a run showed."""
    return {tuple(sorted(access["line"] for access in race["accesses"]))
            for race in report["races"] if race["verdict"] == "confirmed"}


def uncounted(missed, report):
    """Those pairs of which no line is in a race with pairs that are counted and not listed."""
    counted = set()
    for race in report["races"]:
        if re.search("more pairs? of accesses", json.dumps(race)):
            counted |= {place["line"] for access in race["accesses"] for place in [access, *access.get("stack", [])]}
    return sorted(pair for pair in missed if not counted & set(pair))


def one(task):
    number, args = task
    name = f"{args.seed}:{number}"
    try:
        prog = program_named(name, args)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p" + getattr(prog, "suffix", ".c"))
            pathlib.Path(path).write_text(prog.text(), encoding="utf-8")
            sizes = ["--data-model", prog.data_model] if getattr(prog, "data_model", "") else []
            if isinstance(prog, Prog):
                exact = Exact(args.states).ask(prog, folder)
                pathlib.Path(path).write_text(prog.text(), encoding="utf-8")
                wanted = exact.pairs if exact.verdict == "racy" else set()
            else:
                wanted = confirmed(ask(args.heddle, "verify", path, ["--search-budget", "30000", *sizes]))
            is_racy = hasattr(prog, "truth") and prog.truth()[0] == "racy"
            if not wanted and not is_racy:
                return number, False, ""
            report = ask(args.heddle, "scan", path, ["--sound", *sizes])
        missed = uncounted(wanted - Heddle.pairs(report), report)
        if not missed and is_racy and not report["races"]:
            missed = ["of no race at all"]
        if not missed:
            return number, True, ""
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
            kept = pathlib.Path(args.keep, name.replace(":", "-") + getattr(prog, "suffix", ".c"))
            kept.write_text(prog.text() + f"\n// scan --sound has no warning at lines {missed}\n", encoding="utf-8")
        return number, True, f"{name}: no warning at lines {missed}"
    except (BadProgram, subprocess.TimeoutExpired):
        return number, False, ""


def parse_args():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--seed", default="1")
    p.add_argument("--first", type=int, default=0, help="number of the first program")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--states", type=int, default=1500, help="limit of the enumeration in Python")
    p.add_argument("--topics", help="only these, with commas")
    p.add_argument("--families", help="programs of families only: all, or with commas")
    p.add_argument("--trees", action="store_true", help="only programs that Python can run")
    p.add_argument("--keep", help="folder for programs with a race that is not listed")
    return p.parse_args()


def main():
    args = parse_args()
    step = 2 if args.trees else 1
    tasks = [(number, args) for number in range(args.first, args.first + args.count * step, step)]
    racy, wrong = 0, []
    with multiprocessing.Pool(args.jobs) as pool:
        for _, is_racy, text in pool.imap(one, tasks, chunksize=4):
            racy += is_racy
            if text:
                wrong.append(text)
                print(text, flush=True)
    print(f"{len(tasks)} programs, {racy} of them with races")
    print(f"{len(tasks) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
