#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle scan` on the programs of tests/firmware: tasks and interrupts.

    tests/firmware_programs.py --heddle build/release/heddle [--only TEXT]

Functions `task`, `isr1`, `isr2`, `isr3`, `off` and `on` are those of tests/depend_programs.py; more lines of
heddle.toml stand behind `// toml: `. Labels are those of tests/programs/README.md, for the report of a scan:

    x++;   // RACE! x: must be reported; all lines named x race with one another or with themselves
    y++;   // NORACE: why not -> separated(masked)

A report on a line without a label fails, and so does a label that nobody looked at. The last line is `N passed, M
failed`; N and M count labels.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import depend_programs
import limits
import run_programs

FOLDER = pathlib.Path(__file__).resolve().parent / "firmware"
SECONDS = limits.seconds(60)


def scanned(heddle, program):
    """(report, problem)"""
    done = subprocess.run([heddle, "scan", str(program.path), "--format", "json", "--limit", "0"], capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    if done.returncode not in (0, 1):
        return None, f"exit code {done.returncode}: {done.stderr.strip()}"
    return json.loads(done.stdout), None


def check(heddle, source):
    """(labels, problems)"""
    text = source.read_text()
    toml = depend_programs.entries_of(text) + "".join(
        line + "\n" for line in re.findall(r"^// toml: (.*)$", text, re.M))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder).resolve() / source.name
        path.write_text(text)
        (path.parent / "heddle.toml").write_text(toml)
        program = run_programs.read_program(path)
        report, problem = scanned(heddle, program)
        if problem:
            return len(program.labels), [problem]
        pairs = run_programs.reported_pairs(program, report)
        problems = list(program.malformed)
        problems += [wrong for wrong in (run_programs.pair_problem(program, pair) for pair in pairs) if wrong]
        problems += run_programs.unreported(program, "RACE!", pairs)
        problems += run_programs.pin_problems(heddle, program, report)
    return len(program.labels), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    parser.add_argument("--only", metavar="TEXT", default="")
    arguments = parser.parse_args()
    passed = failed = 0
    for source in sorted(FOLDER.glob("*.c")):
        if arguments.only not in source.name:
            continue
        count, problems = check(str(pathlib.Path(arguments.heddle).resolve()), source)
        for problem in problems:
            print(f"{source.name}: {problem}")
        failed += len(problems)
        passed += max(0, count - len(problems))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
