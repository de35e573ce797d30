#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two static drivers against each other, on tests/programs.

    tests/driver_agreement.py --heddle build/release/heddle

1. What `verify` calls a race, `scan` warns of, on the same two lines, and does not refute. MISSES names the programs
   where it does not yet, and why; one that is no longer missed fails too.
2. An access that both report is made under the same locks, as far as both name them: mutexes that are globals.
   OTHER_LOCKS as above.

The last line is `N passed, M failed`.
"""

import re
import sys

import over_programs
from run_programs import own_line

GLOBAL = re.compile(r"^[A-Za-z_]\w*( \(shared\))?$")

# Program -> why scan has no warning on the two lines.
JOINS_ALL = "a loop of joins counts as waiting for every thread of the array (assumption `loops-join-all`)"
OWN_VALUES = "what a key of thread-specific data leads to counts as the thread's own (assumption `thread-values`)"
LOCK_OBJECTS = "operations on a lock are no accesses to its bytes (assumption `lock-objects`)"
ENDS = "the end of a block or of a function's frame is no access (assumption `local-ends`)"
CLOSURES = "who gets to know what a copied struct points to is not followed (assumption `closures`)"
REENTRY = "a second lock call is a second level (assumption `reentrant-locks`)"
MISSES = {
    "cpp/joined_by_destructor_racy.cpp": CLOSURES,
    "cpp/lambda_capture_racy.cpp": CLOSURES,
    "data/blocks_joined_racy.c": ENDS,
    "data/closure_copied_racy.c": CLOSURES,
    "data/errno_shared_racy.c": "that a library function sets errno is no access (assumption `library-reach`)",
    "data/frame_end_racy.c": ENDS,
    "data/slot_given_back_racy.c": "what was stored in shared memory is taken to lie there still (assumption `stable-paths`)",
    "data/tls_key_racy.c": OWN_VALUES,
    "locks/last_user_frees_racy.c": LOCK_OBJECTS,
    "locks/lock_remade_racy.c": LOCK_OBJECTS,
    "sync/destroyed_behind_wait_racy.c": LOCK_OBJECTS,
    "locks/errorcheck_mutex_racy.c": REENTRY,
    "locks/rwlock_taken_twice_racy.c": REENTRY,
    "sync/once_reset_racy.c": LOCK_OBJECTS,
    "threads/counts_in_globals_racy.c": JOINS_ALL,
    "threads/join_counter_racy.c": JOINS_ALL,
    "threads/longjmp_racy.c": "the way of a longjmp is not followed (assumption `unsupported-calls`)",
    "traps/join_stride_racy.c": JOINS_ALL,
    "wrong_proofs/relaxed_publication_racy.c": "new memory counts as private until its address is stored, whatever the order of that store (assumption `private-until-stored`)",
    "wrong_proofs/two_keys_racy.c": OWN_VALUES,
}
# Program -> why the two name other locks at one access.
ONE_WAY = "verify lists one way to the access, scan what holds on all ways"
NOT_A_LOCK = "scan and verify differ in which semaphores and flags are locks"
ONCE = "scan holds a once-control, or the guard of a local static, while its body runs, verify also behind it"
BY_ARGUMENT = "the lock is the thread's argument: verify names the one of a thread, scan cannot"
STD_LOCK = "scan takes for granted what std::lock does, verify does not see that its loop ends with all locks held"
ELEMENT = "verify names the array, scan the element"
ON_THE_STACK = "a lock on the stack looks like a global's name here; scan counts it and it excludes nobody"
OTHER_LOCKS = {
    "cpp/local_static_racy.cpp": ONCE,
    "cpp/scoped_lock_racy.cpp": STD_LOCK,
    "locks/cond_flag_racy.c": ONE_WAY,
    "locks/equal_address_racy.c": BY_ARGUMENT,
    "locks/history_once_racy.c": ONCE,
    "locks/history_readers_racy.c": ONE_WAY,
    "locks/lock_array_unknown_racy.c": ELEMENT,
    "locks/lock_by_parameter_racy.c": ONE_WAY,
    "locks/lock_pointer_arithmetic_racy.c": ELEMENT,
    "locks/lock_status_racy.c": ONE_WAY,
    "locks/lock_table_racy.c": ONE_WAY,
    "locks/lock_void_pointer_racy.c": BY_ARGUMENT,
    "locks/munge_wrapper_racy.c": "one pair of places races either way round; verify shows one of them, scan the other",
    "locks/settled_pointer_racy.c": "scan knows a lock behind a pointer in memory only if that always leads to one lock",
    "sync/semaphore_count_racy.c": NOT_A_LOCK,
    "sync/semaphore_lock_racy.c": NOT_A_LOCK,
    "sync/ticket_spin_racy.c": NOT_A_LOCK,
    "traps/extra_sem_post_racy.c": NOT_A_LOCK,
    "traps/local_mutex_racy.c": ON_THE_STACK,
    "traps/lock_copy_racy.c": BY_ARGUMENT,
    "traps/lock_pointer_changes_racy.c": "scan writes the member, 'x.m', verify the object",
    "traps/short_circuit_lock_racy.c": ONE_WAY,
    "traps/unlock_in_helper_racy.c": ONE_WAY,
    "wrong_proofs/flag_reset_alone_racy.c": NOT_A_LOCK,
    "wrong_proofs/stack_mutex_racy.c": ON_THE_STACK,
}


def pair_of(program, race):
    return tuple(sorted(own_line(program, access) or 0 for access in race["accesses"]))


def locks_by_access(report):
    """(line, column, kind, function) -> the locksets it is reported with."""
    found = {}
    for race in report["races"]:
        for access in race["accesses"]:
            key = (access["line"], access["column"], access["kind"], access["function"])
            found.setdefault(key, set()).add(frozenset(lock for lock in access["locks"] if GLOBAL.match(lock)))
    return found


def race_problem(program, verified, scanned):
    if verified["verdict"] != "race":
        return None
    wanted = [pair_of(program, race) for race in verified["races"] if race["verdict"] == "confirmed"]
    got = {pair_of(program, race) for race in scanned["races"] if race["verdict"] != "refuted"}
    missed = [pair for pair in wanted if pair not in got]
    why = MISSES.get(program.title)
    if missed and why is None:
        return f"verify has a race on lines {missed[0][0]} and {missed[0][1]}, scan has no warning there"
    if not missed and why is not None:
        return f"better than expected: remove it from MISSES ({why})"
    return None


def lock_problem(program, verified, scanned):
    ours, theirs = locks_by_access(verified), locks_by_access(scanned)
    other = []
    for key in sorted(ours.keys() & theirs.keys()):
        # Several locksets are several ways there; which of them the other driver lists is its choice.
        if len(ours[key]) == 1 and len(theirs[key]) == 1 and ours[key] != theirs[key]:
            (a,), (b,) = ours[key], theirs[key]
            other.append(f"line {key[0]}, {key[2]}: verify {sorted(a)}, scan {sorted(b)}")
    why = OTHER_LOCKS.get(program.title)
    if other and why is None:
        return "other locks: " + "; ".join(other)
    if not other and why is not None:
        return f"better than expected: remove it from OTHER_LOCKS ({why})"
    return None


def check(heddle, program, folder, kept):
    """(comparisons made, problems)"""
    verified = over_programs.verified(heddle, program, folder, kept)
    scanned = over_programs.report_of(heddle, ["scan", "-j", "1"], program, folder)
    for answer in (verified, scanned):
        if isinstance(answer, str):
            return 1, [answer]
    problems = [race_problem(program, verified, scanned), lock_problem(program, verified, scanned)]
    return 2, [problem for problem in problems if problem]


if __name__ == "__main__":
    sys.exit(over_programs.main_of(__doc__, check, [MISSES, OTHER_LOCKS], lambda program: program.is_racy(), True))
