#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the running program and the interpreter visit the same traces?

  tests/same_traces.py --heddle build/release/heddle [--every N] [--count 100] [--seed traces] [--first 0]

Compares the digests of the traces that `heddle enumerate` visits with and without --native, and whether they have a
race: on tests/programs (each Nth of them), the rounds of tests/never_proved, and random programs, many of which spin.
Programs that one of the two cannot run, or not to the end, are counted. So are those in which the two are known to
differ; each reason has a name below, and a program that is listed and does not differ fails. Ends with the counts and
`N passed, M failed`.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "random"))
from compile import BadProgram
from pruned import random_program

BUDGET = 20000
MODES = ("source", "optimal")

EXITS = "an exit with handlers is an operation for the interpreter only"
SYSTEM = "calls of the system are operations of the running program only"
NUMBERS = "the library draws other numbers, or calls back in another order"

WAITS = "a wait ends inside the object that is destroyed, which the running program alone tells"

LISTED = {
    "never_proved/round_random.c": NUMBERS,
    "never_proved/round_random_pointer.c": NUMBERS,
    "sync/destroyed_behind_wait_safe.c": WAITS,
    "threads/exit_handler_racy.c": EXITS,
    "threads/exit_handler_safe.c": EXITS,
    "wrong_proofs/destructor_racy.c": EXITS,
    "wrong_proofs/destructor_safe.c": EXITS,
}

# What random programs have behind their declarations.
IN_RANDOM = (
    (EXITS, re.compile(r"\batexit\(handler|__attribute__\(\(destructor")),
    (SYSTEM, re.compile(r"^ .*\b(?:read|write|close|lseek|dup2|isatty)\(", re.MULTILINE)),
    (NUMBERS, re.compile(r"^ .*\brand\(\)", re.MULTILINE)),
)


def random_programs(args, folder):
    for number in range(args.first, args.first + args.count):
        try:
            text = random_program(f"{args.seed}:{number}", False).text()
        except BadProgram:
            continue
        path = pathlib.Path(folder) / f"{number}.c"
        path.write_text(text, encoding="utf-8")
        reasons = [reason for reason, words in IN_RANDOM if words.search(text)]
        yield path, reasons[0] if reasons else "", False


def listed_programs(args):
    programs = HERE / "programs"
    below = sorted(p for p in programs.rglob("*") if p.suffix in (".c", ".cpp"))[::args.every]
    for path in below + sorted((HERE / "never_proved").glob("round_*.c*")):
        root = programs if path.is_relative_to(programs) else HERE
        yield path, LISTED.get(str(path.relative_to(root)), ""), True


def answers(heddle, paths, native):
    """What `enumerate` says of each; a process that dies costs the one program it was at."""
    command = [heddle, "enumerate", "--batch", "--mode", ",".join(MODES), "--budget", str(BUDGET)]
    left = list(paths)
    while left:
        process = subprocess.Popen(command + ["--native"] * native, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        while left:
            process.stdin.write(f"{left.pop(0)}\n")
            process.stdin.flush()
            line = process.stdout.readline()
            yield json.loads(line) if line else {"error": "no answer"}
            if not line:
                break
        process.stdin.close()
        process.wait()


def compare(native, interpreted):
    """None: not to be compared. Else what differs, or ''."""
    if "error" in native or "error" in interpreted:
        return None
    found = None
    for mode in (f"sync {mode}" for mode in MODES):
        a, b = native["searches"][mode], interpreted["searches"][mode]
        if a["gaps"] or b["gaps"] or not (a["complete"] and b["complete"]):
            continue
        found = found or ""
        if bool(a["race"]) != bool(b["race"]):
            found = f"{mode}: a race {'in the running program' if a['race'] else 'interpreted'} only"
        elif a["digest"] != b["digest"] and not found:
            found = f"{mode}: other traces, {a['traces']} in the running program, {b['traces']} interpreted"
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--every", type=int, default=1, help="take each Nth program of tests/programs only")
    p.add_argument("--count", type=int, default=100, help="random programs")
    p.add_argument("--seed", default="traces")
    p.add_argument("--first", type=int, default=0)
    args = p.parse_args()
    counts, passed, failed = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        programs = list(listed_programs(args)) + list(random_programs(args, folder))
        paths = [path for path, _, _ in programs]
        both = zip(answers(args.heddle, paths, True), answers(args.heddle, paths, False))
        for (path, reason, is_listed), (native, interpreted) in zip(programs, both):
            what = compare(native, interpreted)
            if what is None:
                counts["not run to the end by both"] += 1
                continue
            if what and not is_listed and ": a race" in what:
                reason = ""
            if what and not reason or reason and is_listed and not what:
                failed += 1
                print(f"FAIL {path if is_listed else f'{args.seed}:{path.stem}'}: {what or f'listed, and the same: {reason}'}",
                      flush=True)
                continue
            passed += 1
            counts[reason if what else "the same traces"] += 1
    print(", ".join(f"{what}: {n}" for what, n in sorted(counts.items())))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
