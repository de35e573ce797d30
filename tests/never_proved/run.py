#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that have a race: neither the static verdict nor that of the search alone may be race-free. Ends with `N
passed, M failed`."""
import argparse
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import limits


def verdict(heddle, *arguments):
    done = subprocess.run([heddle, "verify", *map(str, arguments)], capture_output=True, text=True,
                          timeout=limits.seconds(300))
    return done.stdout.splitlines()[-1] if done.stdout else f"exit {done.returncode}: {done.stderr.strip()[:200]}"


def flags_of(program):
    """`// FLAGS: -fopenmp` in the first lines."""
    for line in program.read_text().splitlines()[:3]:
        if line.startswith("// FLAGS: "):
            return ["--", *line.removeprefix("// FLAGS: ").split()]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth program only")
    arguments = parser.parse_args()
    heddle = arguments.heddle
    here = pathlib.Path(__file__).resolve().parent
    passed = failed = 0
    for program in sorted([*here.glob("*.c"), *here.glob("*.cpp")])[::arguments.every]:
        flags = flags_of(program)
        wrong = [last for last in (verdict(heddle, "--search-budget", "0", program, *flags),
                                   verdict(heddle, "--no-static", program, *flags))
                 if last not in ("verdict: unknown", "verdict: race")]
        passed += not wrong
        failed += bool(wrong)
        for last in wrong:
            print(f"FAIL {program.name}: {last}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
