# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts share that run heddle on every program of tests/programs and compare what it says."""
import argparse
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import limits
from run_programs import VERIFY, add_choice, chosen_programs, report_file

SECONDS = limits.seconds(120)


def report_of(heddle, words, program, folder):
    """What `heddle WORDS PROGRAM` reports, or a text that says what went wrong."""
    output = report_file(folder, words, program)
    line = [heddle, *words, str(program.path), "--format", "json", "-o", str(output)]
    if program.flags:
        line += ["--"] + program.flags
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, errors="replace", check=False)
    except subprocess.TimeoutExpired:
        return f"{words[0]}: no answer within {SECONDS} s"
    if done.returncode not in (0, 1, 3) or not output.exists():
        return f"{words[0]}: exit code {done.returncode}: {done.stderr.strip()[-200:]}"
    return json.loads(output.read_text())


def verified(heddle, program, folder, kept):
    """What `heddle verify` reports, or a text that says what went wrong. `kept`: where run_programs.py leaves such
    reports, or none; one that is not there, or not finished, is made."""
    try:
        if kept:
            return json.loads(report_file(pathlib.Path(kept), VERIFY, program).read_text())
    except (OSError, ValueError):
        pass
    return report_of(heddle, VERIFY, program, folder)


def main_of(description, check, exceptions=(), is_wanted=lambda program: True, takes_kept=False):
    """Runs `check(heddle, program, folder)` on the programs chosen on the command line; it gives the number of
    comparisons and a list of problems. `exceptions`: tables by program, which must name programs that there are.
    `takes_kept`: there is an option --kept FOLDER, which `check` is given too. Prints `N passed, M failed` last;
    returns the exit code."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    add_choice(parser)
    if takes_kept:
        parser.add_argument("--kept", metavar="FOLDER", help="what run_programs.py --keep left of the same heddle")
    arguments = parser.parse_args()
    more = [arguments.kept] if takes_kept else []
    if not shutil.which(arguments.heddle):
        parser.error(f"{arguments.heddle} is no executable file")
    programs = [program for program in chosen_programs(arguments) if is_wanted(program)]
    if not programs:
        sys.exit("no program matches")
    passed = failed = 0
    if not arguments.only and arguments.every == 1:
        listed = set().union(*exceptions)
        for title in sorted(listed - {program.title for program in programs}):
            failed += 1
            print(f"FAIL {title}: is listed here and does not exist, or has no race")
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        results = pool.map(lambda program: check(arguments.heddle, program, pathlib.Path(name), *more), programs)
        for program, (made, problems) in zip(programs, results):
            passed += max(0, made - len(problems))
            failed += len(problems)
            for problem in problems:
                print(f"FAIL {program.title}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
