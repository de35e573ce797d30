#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle scan` warns of, `heddle scan --shared` lists: the two accesses of each warning are accesses of one
shared variable.

  shared_agreement.py --heddle build/release/heddle [--only TEXT] [--every N] [--jobs N]

C programs of tests/programs only: in C++ a report shows the line of the user's code for an access inside of a library.
The last line is `N passed, M failed`.
"""

import sys

from over_programs import main_of, report_of


def place(row):
    """Where an access is."""
    return row["file"], row["line"], row["column"]


def problems_of(report, listed):
    """A text for each warning whose accesses are not accesses of one shared variable."""
    variables = [{place(access) for access in variable["accesses"]} for variable in listed["shared"]]
    out = []
    for race in report["races"]:
        both = {place(access) for access in race["accesses"]}
        if not any(both <= places for places in variables):
            out.append(f"{race['variable']} at {sorted(both)} is not in the list of shared variables")
    return out


def check(heddle, program, folder):
    """(comparisons made, problems)"""
    report = report_of(heddle, ["scan", "-j", "1"], program, folder)
    listed = report_of(heddle, ["scan", "--shared", "-j", "1"], program, folder)
    for one in (report, listed):
        if isinstance(one, str):
            return 1, [one]
    return 1 + len(report["races"]), problems_of(report, listed)


if __name__ == "__main__":
    sys.exit(main_of(__doc__, check, is_wanted=lambda program: program.path.suffix == ".c"))
