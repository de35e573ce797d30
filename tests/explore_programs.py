#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle explore` on tests/programs: what the running program shows against what the labels say.

    tests/explore_programs.py --heddle build/release/heddle [--only TEXT] [--every N] [--jobs N]

A program without a race must not have one confirmed, a program with one must not be called free of races; and whatever
is not listed below must be decided. `not here` lists programs whose race this machine, or this input, does not have.
The last line is `N passed, M failed`.
"""
import subprocess
import sys

import limits
from over_programs import main_of

SECONDS = limits.seconds(60)

# Races that other inputs, or other ways to run the program, have.
NOT_HERE = {
    "data/errno_shared_racy.c": "errno belongs to the thread, and the pointer to it is read by a library",
    "data/private_mapping_racy.c": "needs an argument",
    "data/stream_closed_racy.c": "streams have no hooks",
    "data/time_zone_racy.c": "the library's own object has no hook",
}

# Not decided: why.
UNDECIDED = {
    "cpp/async_future_safe.cpp": "several atomic objects that are weaker than sequential consistency",
    "cpp/jthread_safe.cpp": "several atomic objects that are weaker than sequential consistency",
    "cpp/scoped_lock_safe.cpp": "tries without end",
    "cpp/std_atomic_safe.cpp": "several atomic objects that are weaker than sequential consistency",
    "libcxx/call_once_safe.cpp": "the library, which has no hooks, writes the flag",
    "libcxx/jthread_safe.cpp": "several atomic objects that are weaker than sequential consistency",
    "data/resource_limits_racy.c": "a library call may touch less than its model says",
    "locks/failed_lock_racy.c": "robust mutexes",
    "locks/failed_lock_safe.c": "robust mutexes",
    "locks/seqlock_safe.c": "several atomic objects that are weaker than sequential consistency",
    "sync/c11_orders_safe.c": "several atomic objects that are weaker than sequential consistency",
    "sync/consume_lock_racy.c": "what depends on a consumed value is not known when the program runs",
    "sync/consume_racy.c": "what depends on a consumed value is not known when the program runs",
    "sync/consume_safe.c": "what depends on a consumed value is not known when the program runs",
    "sync/destroyed_behind_wait_racy.c": "a wait ends inside the object that is destroyed",
    "sync/destroyed_behind_wait_safe.c": "a wait ends inside the object that is destroyed",
    "sync/exchanger_safe.c": "very many traces",
    "sync/once_reset_safe.c": "a once flag is written as plain memory",
    "threads/cancellation_safe.c": "a cancelled thread may also end inside the C library",
    "threads/init_array_racy.c": "a thread that is created before main",
    "threads/many_call_strings_safe.c": "a long execution",
    "threads/signal_handler_safe.c": "a handler of signals",
}


def verdict_of(heddle, program):
    flags = [f"--flag={flag}" for flag in program.flags]
    line = [heddle, "explore", str(program.path), *flags, "--timeout", str(max(1, int(SECONDS) // 3))]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, errors="replace", check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    lines = done.stdout.strip().splitlines()
    if not lines or not lines[-1].startswith("verdict: "):
        return f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
    return lines[-1].removeprefix("verdict: ")


def check(heddle, program, _folder):
    """(comparisons made, problems)"""
    verdict = verdict_of(heddle, program)
    if program.title in NOT_HERE:
        return 1, [] if verdict == "race-free" else [f"{verdict}, and is listed as a race that is not here"]
    if program.title in UNDECIDED:
        return 1, [] if verdict == "unknown" else [f"{verdict}, and is listed as not decided"]
    expected = "race" if program.is_racy() else "race-free"
    return 1, [] if verdict == expected else [f"{verdict}, not {expected}"]


def is_wanted(program):
    return "NOT-RUNNABLE" not in program.tags and "-fopenmp" not in program.flags


if __name__ == "__main__":
    sys.exit(main_of(__doc__, check, [NOT_HERE, UNDECIDED], is_wanted))
