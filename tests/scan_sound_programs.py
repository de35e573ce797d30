#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle scan --sound` lists every race of tests/programs.

  scan_sound_programs.py --heddle build/release/heddle [--only TEXT] [--every N] [--jobs N]

Lines with one `RACE!` name race with each other: two of them are a pair that must be listed, one alone is a pair with
itself; of more, each must be listed with another of that name. NOT_LISTED names the assumption without a switch that a
program rests on; one that is listed all the same fails too.
The last line is `N passed, M failed`.
"""

import sys

from over_programs import main_of, report_of
from run_programs import own_line

# Program -> the assumption, of docs/assumptions.md, that `--sound` leaves on.
UNSUPPORTED = "unsupported-calls"
NOT_LISTED = {
    "locks/failed_lock_racy.c": "locks-succeed",
    "threads/longjmp_racy.c": UNSUPPORTED,
    "threads/signal_handler_racy.c": "signal-handlers",
}


def listed_pairs(program, report):
    """The pairs of lines with a warning."""
    return {frozenset(own_line(program, access) or 0 for access in race["accesses"]) for race in report["races"]}


def missing(program, pairs):
    """A text for each race without a warning."""
    out = []
    for name, lines in program.names("RACE!").items():
        for line in sorted(lines):
            others = lines - {line} or {line}
            if not any(frozenset((line, other)) in pairs for other in others):
                out.append(f"{name}: line {line} has no warning with {', '.join(map(str, sorted(others)))}")
    return out


def check(heddle, program, folder):
    """(comparisons made, problems)"""
    report = report_of(heddle, ["scan", "--sound", "-j", "1"], program, folder)
    if isinstance(report, str):
        return 1, [report]
    found = missing(program, listed_pairs(program, report))
    why = NOT_LISTED.get(program.title)
    if why is None:
        return 1, found
    return 1, [] if found else [f"better than expected: remove it from NOT_LISTED ({why})"]


if __name__ == "__main__":
    sys.exit(main_of(__doc__, check, [NOT_LISTED], lambda program: program.is_racy()))
