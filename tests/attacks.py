# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs texts of programs that were written to make a verdict wrong, or a proof missing: each with its check."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

import limits

SECONDS = limits.seconds(120)


def heddle_of(heddle, *words):
    return subprocess.run([heddle, *words], capture_output=True, text=True, check=False, timeout=SECONDS)


def suspected(heddle, path):
    """The races that a scan does not refute, and why there is no answer."""
    scan = heddle_of(heddle, "scan", str(path), "--format", "json", "--limit", "0")
    if scan.returncode not in (0, 1, 3):
        return [], f"scan ends with code {scan.returncode}: {scan.stderr.strip()[-200:]}"
    return [race for race in json.loads(scan.stdout)["races"] if race["verdict"] != "refuted"], None


def is_racy(heddle, path):
    """Each scan must report the race on `x`, and no `verify` may say race-free."""
    races, why = suspected(heddle, path)
    if why:
        return why
    if not any(race["variable"] == "x" for race in races):
        return "the scan does not report the race"
    verify = heddle_of(heddle, "verify", str(path), "--timeout", "30")
    return "WRONG PROOF" if "verdict: race-free" in verify.stdout else None


def is_safe(heddle, path):
    """A scan leaves nothing."""
    races, why = suspected(heddle, path)
    return why or (f"{len(races)} suspected races are left" if races else None)


def run_all(description, rows, ending=".c"):
    """`rows`: by name, the text of a program and its check. The exit code for the process."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--only", default="", metavar="NAME", help="rows whose name has this in it")
    arguments = parser.parse_args()
    rows = {name: row for name, row in rows.items() if arguments.only in name}

    def problem(row):
        text, check = row
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / f"attack{ending}"
            path.write_text(text)
            return check(arguments.heddle, path)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, why in zip(rows, pool.map(problem, rows.values())):
            failed += why is not None
            if why:
                print(f"FAIL {name}: {why}")
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0
