#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that have a race: the static verdict must not be race-free. Ends with `N passed, M failed`."""
import argparse
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heddle", required=True)
    heddle = parser.parse_args().heddle
    here = pathlib.Path(__file__).resolve().parent
    passed = failed = 0
    for program in sorted([*here.glob("*.c"), *here.glob("*.cpp")]):
        done = subprocess.run([heddle, "verify", "--search-budget", "0", str(program)], capture_output=True, text=True, timeout=120)
        last = done.stdout.splitlines()[-1] if done.stdout else f"exit {done.returncode}: {done.stderr.strip()[:200]}"
        if last == "verdict: unknown":
            passed += 1
        else:
            failed += 1
            print(f"FAIL {program.name}: {last}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
