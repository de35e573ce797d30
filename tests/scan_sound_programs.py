#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle scan --sound` lists every race of tests/programs.

  scan_sound_programs.py --heddle build/release/heddle [--only TEXT] [--every N] [--jobs N]

Lines with one `RACE!` name race with each other: two of them are a pair that must be listed, one alone is a pair with
itself; of more, each must be listed with another of that name. NOT_LISTED names the assumption without a switch that a
program rests on; one that is listed all the same fails too.
The last line is `N passed, M failed`.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import limits
from run_programs import add_choice, chosen_programs, own_line

SECONDS = limits.seconds(120)

# Program -> the assumption, of docs/assumptions.md, that `--sound` leaves on.
UNSUPPORTED = "unsupported-calls"
NOT_LISTED = {
    "locks/failed_lock_racy.c": "locks-succeed",
    "threads/longjmp_racy.c": UNSUPPORTED,
    "threads/signal_handler_racy.c": "signal-handlers",
}


def listed_pairs(heddle, program, folder):
    """The pairs of lines with a warning, or a text that says what went wrong."""
    output = folder / f"{program.title.replace('/', '-')}.json"
    line = [heddle, "scan", "--sound", "-j", "1", str(program.path), "--format", "json", "-o", str(output)]
    if program.flags:
        line += ["--"] + program.flags
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    if done.returncode not in (0, 1, 3) or not output.exists():
        return f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
    races = json.loads(output.read_text())["races"]
    return {frozenset(own_line(program, access) or 0 for access in race["accesses"]) for race in races}


def missing(program, pairs):
    """A text for each race without a warning."""
    out = []
    for name, lines in program.names("RACE!").items():
        for line in sorted(lines):
            others = lines - {line} or {line}
            if not any(frozenset((line, other)) in pairs for other in others):
                out.append(f"{name}: line {line} has no warning with {', '.join(map(str, sorted(others)))}")
    return out


def problems_of(heddle, program, folder):
    pairs = listed_pairs(heddle, program, folder)
    if isinstance(pairs, str):
        return [pairs]
    found = missing(program, pairs)
    why = NOT_LISTED.get(program.title)
    if why is None:
        return found
    return [] if found else [f"better than expected: remove it from NOT_LISTED ({why})"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    add_choice(parser)
    arguments = parser.parse_args()
    if not shutil.which(arguments.heddle):
        parser.error(f"{arguments.heddle} is no executable file")
    programs = [program for program in chosen_programs(arguments) if program.is_racy()]
    if not programs:
        sys.exit("no racy program matches")
    failed = 0
    if not arguments.only and arguments.every == 1:
        for title in sorted(NOT_LISTED.keys() - {program.title for program in programs}):
            failed += 1
            print(f"FAIL {title}: is listed here and does not exist, or has no race")
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        results = pool.map(lambda program: problems_of(arguments.heddle, program, pathlib.Path(name)), programs)
        for program, problems in zip(programs, results):
            failed += bool(problems)
            for problem in problems:
                print(f"FAIL {program.title}: {problem}", flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
