#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives heddle the inputs of cases.py. Whatever it gets, it answers; it never crashes and never proves from nothing.

  error     exit code 2, `heddle: error: …` on standard error with the expected words, no verdict line
  unknown   `verdict: unknown`, exit code 3
  no-proof  anything but `verdict: race-free`
  any       an error as above, or any verdict with its exit code

Ends with `N passed, M failed`.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from cases import CASES

VERDICTS = {"verdict: race-free": 0, "verdict: race": 1, "verdict: unknown": 3}
OWN_BUG = "bug in heddle"


def write_files(case, folder):
    for name in case.folders:
        os.mkdir(os.path.join(folder, os.fsencode(name)))
    for name, content in case.files.items():
        with open(os.path.join(folder, os.fsencode(name)), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


def last_line(text):
    lines = text.splitlines()
    return lines[-1] if lines else ""


def problems_of_error(case, run, out, err):
    if run.returncode != 2:
        yield f"exit code {run.returncode} instead of 2"
    if not any(line.startswith("heddle: error: ") for line in err.splitlines()):
        yield "no line 'heddle: error: …' on standard error"
    if "verdict:" in out:
        yield "a verdict for an input that was not accepted"
    for word in case.says:
        if word not in err:
            yield f"the message does not say '{word}'"


def problems_of_verdict(case, run, out, err):
    """A report in JSON on standard output is alone there; the verdict is then the last line of standard error."""
    is_json = "json" in case.arguments and "-o" not in case.arguments
    verdict = last_line(err if is_json else out)
    if VERDICTS.get(verdict) != run.returncode:
        yield f"exit code {run.returncode} with the last line '{verdict}'"
    if case.expect == "unknown" and verdict != "verdict: unknown":
        yield f"'{verdict}' instead of 'verdict: unknown'"
    if case.expect == "no-proof" and verdict == "verdict: race-free":
        yield "a proof out of nothing"
    for word in case.says:
        if word not in out:
            yield f"the report does not say '{word}'"
    if is_json:
        try:
            json.loads(out)
        except ValueError as problem:
            yield f"the report is not JSON: {problem}"


def problems(case, run):
    out, err = run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")
    if run.returncode < 0:
        return [f"killed by signal {-run.returncode}"]
    if OWN_BUG in err or "Sanitizer" in err:
        return ["a crash or a failed check of heddle's own"]
    if case.expect == "error" or (case.expect == "any" and run.returncode == 2):
        return list(problems_of_error(case, run, out, err))
    return list(problems_of_verdict(case, run, out, err))


def run_case(heddle, case, time_limit):
    with tempfile.TemporaryDirectory() as folder:
        write_files(case, os.fsencode(folder))
        command = [os.fsencode(argument) for argument in [heddle, *case.arguments]]
        try:
            run = subprocess.run(command, cwd=folder, capture_output=True, timeout=time_limit, check=False)
        except subprocess.TimeoutExpired:
            return [f"no answer in {time_limit} s"], b""
        return problems(case, run), run.stdout + run.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--only", help="only cases whose name contains this")
    parser.add_argument("--time-limit", type=float, default=120)
    arguments = parser.parse_args()
    heddle = str(pathlib.Path(arguments.heddle).resolve())
    if not os.access(heddle, os.X_OK):
        sys.exit(f"{heddle}: no such program; build it first (scripts/try)")
    passed = failed = 0
    for case in CASES:
        if arguments.only and arguments.only not in case.name:
            continue
        begin = time.monotonic()
        found, output = run_case(heddle, case, arguments.time_limit)
        seconds = time.monotonic() - begin
        passed, failed = passed + (not found), failed + bool(found)
        if found or seconds > 10:
            print(f"{'FAILED' if found else 'slow'}: {case.name} ({seconds:.1f} s): {'; '.join(found)}")
        if found:
            print("\n".join("    " + line[:200] for line in output.decode(errors="replace").splitlines()[:8]))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
