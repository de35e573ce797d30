#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`verify --race ID` against `verify` of the whole program, on tests/programs.

    tests/one_race.py --heddle build/release/heddle [--only TEXT] [--every N] [--jobs N]

Of each program the first races that `scan` suspects are decided alone. None may be refuted or left undecided that
`verify` confirmed, none may be confirmed in a program that it proved free of races. N counts races.
The last line is `N passed, M failed`.
"""
import sys

from over_programs import main_of, report_of

MOST = 3  # races of a program


def problem_of(race, answer, whole):
    if isinstance(answer, str):
        return answer
    was_confirmed = any(known["id"] == race and known["verdict"] == "confirmed" for known in whole["races"])
    if answer["verdict"] != "race" and was_confirmed:
        return f"{race} is {answer['verdict']} alone, and verify confirmed it"
    if answer["verdict"] == "race" and whole["verdict"] == "race-free":
        return f"{race} is confirmed alone, and verify proved the program free of races"
    return None


def check(heddle, program, folder):
    """(comparisons made, problems)"""
    whole = report_of(heddle, ["verify"], program, folder)
    scanned = report_of(heddle, ["scan", "--no-store"], program, folder)
    for answer in (whole, scanned):
        if isinstance(answer, str):
            return 1, [answer]
    races = [race["id"] for race in scanned["races"]][:MOST]
    problems = [problem_of(race, report_of(heddle, ["verify", "--race", race], program, folder), whole)
                for race in races]
    return len(races), [problem for problem in problems if problem]


if __name__ == "__main__":
    sys.exit(main_of(__doc__, check))
