#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle check --run` on tests/programs: what runs of the program confirm against what the labels say.

    tests/check_run_programs.py --heddle build/release/heddle [--only TEXT] [--every N] [--jobs N]

1. What is confirmed is a race by the labels: both lines belong to one.
2. Of each race (each name behind RACE!) one pair of accesses at least is confirmed. NOT_CONFIRMED names the exceptions
   and why; one that is confirmed nevertheless fails too.
3. A confirmed race that the scan had warned of is that warning, and not listed a second time.

The interpreter does not take part. The last line is `N passed, M failed`.
"""
import sys

from explore_programs import NOT_HERE, is_wanted
from over_programs import main_of, report_of
from run_programs import own_line, pair_problem

WORDS = ["check", "--run=program", "--search-budget=0", "--run-seconds=20"]

UNCERTAIN = "a library call may touch less than its model says"
ORDERS = "only memory orders leave the two without an order, and nobody knows what libraries order"
BEHIND = "what another race reads decides whether it is reached: no interleaving brings both threads there"
NOT_CONFIRMED = {
    "data/resource_limits_racy.c": UNCERTAIN,
    "data/scan_into_shared_racy.c": UNCERTAIN,
    "locks/failed_lock_racy.c": "robust mutexes",
    "sync/consume_lock_racy.c": ORDERS,
    "sync/consume_racy.c": ORDERS,
    "sync/double_checked_racy.c": BEHIND,
    "sync/fences_racy.c": ORDERS,
    "sync/queue_lock_racy.c": "the runs that are tried do not come to it; why was not looked into",
    "sync/release_acquire_racy.c": ORDERS,
    "sync/release_sequence_racy.c": ORDERS,
    "sync/volatile_flag_racy.c": BEHIND,
    "threads/init_array_racy.c": "a thread that is created before main",
    "wrong_proofs/relaxed_publication_racy.c": ORDERS,
}


def confirmed(report):
    return [race for race in report["races"] if race["verdict"] == "confirmed"]


def twice(report):
    """Pairs of accesses that stand in the report more than once, one of them confirmed."""
    seen, doubles = {}, []
    for race in report["races"]:
        key = tuple(sorted((a["file"], a["line"], a["column"], a["function"], a["kind"], a["path"])
                           for a in race["accesses"]))
        if key in seen and "confirmed" in (race["verdict"], seen[key]):
            doubles.append(key)
        seen[key] = race["verdict"]
    return doubles


def race_problems(program, pairs):
    problems = []
    found = {program.labels[line].name for pair in pairs for line in pair if line in program.labels}
    missing = sorted(set(program.names("RACE!")) - found)
    why = NOT_CONFIRMED.get(program.title) or NOT_HERE.get(program.title)
    if missing and why is None:
        problems.append("not confirmed: " + ", ".join(missing))
    if not missing and why is not None:
        problems.append(f"better than expected: all races were confirmed ({why})")
    return problems


def check(heddle, program, folder):
    """(comparisons made, problems)"""
    report = report_of(heddle, WORDS, program, folder)
    if isinstance(report, str):
        return 1, [report]
    problems = [f"{race['judge']} confirmed it, not a run" for race in confirmed(report) if race["judge"] != "explore"]
    pairs = [tuple(sorted(own_line(program, access) or 0 for access in race["accesses"])) for race in confirmed(report)]
    problems += [problem for problem in (pair_problem(program, pair) for pair in sorted(set(pairs))) if problem]
    problems += [f"listed twice: {double}" for double in twice(report)]
    return 3, problems + race_problems(program, pairs)


if __name__ == "__main__":
    sys.exit(main_of(__doc__, check, [NOT_CONFIRMED], is_wanted))
