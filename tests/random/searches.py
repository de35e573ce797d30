# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold between the searches of `heddle enumerate`, and between them and the other answers.

`searches` maps "GRAIN MODE" (grain sync or access; mode exhaustive, classic, source or optimal) to what that search
saw. One that is complete and has no gaps saw all there is.
"""

import re

# gaps that mean: C or POSIX does not say what the program does
UNDEFINED = re.compile("undefined|unlock of|destroyed|plain memory|an atomic section|without the lock|detached")

MODES = ("exhaustive", "classic", "source", "optimal")
GRAINS = ("sync", "access")


def saw_all(search):
    return search["complete"] and not search["gaps"]


def is_undefined(searches):
    return any(UNDEFINED.search(g) for s in searches.values() for g in s["gaps"])


def truth(searches):
    """What the searches know of the program, under its memory orders."""
    if is_undefined(searches):
        return "undefined"
    if any(s["weak_race"] for s in searches.values()):
        return "racy"
    return "race-free" if any(saw_all(s) for s in searches.values()) else "undecided"


def judge_searches(searches, exact, heddle, assumes=False):
    """The name of what is wrong, or ''. `exact` and `heddle` are verdicts; unknown ones contradict nothing.

    `assumes`: the program has assumptions. A section that meets a false one has made its accesses for the clocks, and
    does not stand before anything for the other test.
    """
    if is_undefined(searches):
        return ""
    for name, s in searches.items():
        wrong = judge_one(name, s, exact, heddle, assumes)
        if wrong:
            return f"{wrong} ({name})"
    for grain in GRAINS:
        wrong = judge_grain(grain, {m: searches[f"{grain} {m}"] for m in MODES if f"{grain} {m}" in searches})
        if wrong:
            return f"{wrong} ({grain})"
    races = {bool(s["race"]) for s in searches.values() if saw_all(s)}
    return "grains disagree about the race" if len(races) > 1 else ""


def judge_one(name, s, exact, heddle, assumes):
    if s["race"] and heddle == "race-free":
        return "unsound"
    if s["weak_race"] and heddle == "race-free":
        return "unsound by memory orders"
    if s["race"] and exact == "race-free":
        return "race that exact does not have"
    if saw_all(s) and not s["race"]:
        if exact == "racy":
            return "search misses the race"
        if heddle == "racy" and not s["weak_race"]:  # else it is one by the order of its atomics
            return "false race"
    # Optimality is promised for threads that are deterministic, and by steps of synchronisations for programs without
    # races.
    if name.endswith("optimal") and not (s["had_choices"] or s["gaps"]) and (name.startswith("access")
                                                                             or not s["race"]):
        if s["executions"] != s["traces"]:
            return "optimal ran a trace twice"
        if s["sleep_blocked"]:
            return "optimal was blocked"
    if name == "access exhaustive" and saw_all(s) and s["adjacent"] != bool(s["race"]) and not assumes:
        return "clocks and adjacency disagree"
    return ""


def judge_grain(grain, by_mode):
    whole = {m: s for m, s in by_mode.items() if saw_all(s)}
    races = {bool(s["race"]) for s in whole.values()}
    if len(races) > 1:
        return "searches disagree about the race"
    # What follows a race may depend on the order of its accesses, which steps of synchronisations do not have.
    if grain == "sync" and races == {True}:
        return ""
    for key in ("digest", "traces", "deadlocks"):
        if len({s[key] for s in whole.values()}) > 1:
            return "searches saw different " + ("traces" if key != "deadlocks" else "deadlocks") + ": " + ", ".join(
                f"{m} {s['traces']}" for m, s in whole.items())
    return ""
