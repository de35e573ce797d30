#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a scan leaves of the false alarms in the driver-like programs of tests/drivers, and that it keeps the true race.

    tests/driver_programs.py --heddle build/release/heddle            checks all of them
    tests/driver_programs.py --heddle build/release/heddle --table    prints a table as well (TACAS09, Table 1)
    tests/driver_programs.py --heddle build/release/heddle --only raid
    tests/driver_programs.py --heddle build/release/heddle --every 4  each fourth driver

Each driver has two programs, `NAME_racy.c` and `NAME_safe.c`, which differ in one race. Labels are those of
tests/programs/README.md. A warning of either program lies on lines with labels, the true race is reported, and of the
safe program no more likely warnings are left than its line `// LEFT: N` says. The last line is `N passed, M failed`.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import limits

DRIVERS = pathlib.Path(__file__).resolve().parent / "drivers"
LABEL = re.compile(r"//\s*(RACE!|NORACE)(?:\s+(\w+))?:")
LEFT = re.compile(r"^// LEFT: (\d+)", re.M)
SECONDS = limits.seconds(300)
WITHOUT_JUDGES = ("--no-history", "--no-values", "--no-transactions")


class Program:
    def __init__(self, path):
        self.path, text = path, path.read_text()
        self.labels = {number: found.group(1) for number, line in enumerate(text.splitlines(), 1)
                       if (found := LABEL.search(line))}
        left = LEFT.search(text)
        self.left = int(left.group(1)) if left else None
        self.lines = text.count("\n")


def scan(heddle, program, *flags):
    """(warnings, seconds)"""
    began = time.monotonic()
    done = subprocess.run([heddle, "scan", str(program.path), "--format", "json", "--limit", "0", *flags],
                          capture_output=True, text=True, check=False, timeout=SECONDS)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"ends with code {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)["races"], time.monotonic() - began


def lines_of(warning):
    return {access["line"] for access in warning["accesses"]}


def problems(program, warnings):
    out = []
    for line in sorted(set().union(*map(lines_of, warnings)) - set(program.labels)):
        out.append(f"line {line} has no label")
    true = {line for line, kind in program.labels.items() if kind == "RACE!"}
    for line in sorted(true):
        if not any(line in lines_of(one) and lines_of(one) <= true for one in warnings):
            out.append(f"the race on line {line} is not reported")
    likely = [one for one in warnings if one["verdict"] == "likely"]
    if program.left is not None and len(likely) > program.left:
        out.append(f"{len(likely)} likely warnings are left, {program.left} at most before")
    return out


def row(heddle, program):
    before, _ = scan(heddle, program, *WITHOUT_JUDGES)
    others, seconds_others = scan(heddle, program, "--no-transactions")
    after, seconds = scan(heddle, program)
    likely = [sum(one["verdict"] == "likely" for one in warnings) for warnings in (before, others, after)]
    variables = len({one["variable"] for one in before})
    name = program.path.stem
    return (f"| {name} | {program.lines} | {variables} | {likely[0]} | {likely[1]} | {seconds_others:.1f} | {likely[2]} "
            f"| {seconds:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    names = sorted({path.stem.rpartition("_")[0] for path in DRIVERS.glob("*.c")})[::arguments.every]
    programs = [Program(path) for path in sorted(DRIVERS.glob("*.c"))
                if arguments.only in path.name and path.stem.rpartition("_")[0] in names]
    if arguments.table:
        print("| program | lines | variables | likely warnings | after history, values | s | after transactions | s |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for program in programs:
            print(row(arguments.heddle, program), flush=True)

    def check(program):
        try:
            return problems(program, scan(arguments.heddle, program)[0])
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return [str(error)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, found in zip(programs, pool.map(check, programs)):
            failed += bool(found)
            for problem in found:
                print(f"FAIL {program.path.name}: {problem}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
