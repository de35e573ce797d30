#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each step of `heddle scan` leaves of the warnings of captured projects, as a Markdown table.

usage: scan_columns.py HEDDLE PROJECT[=PROGRAM[,PROFILE]]…

The columns are those of CAV07's table, after the steps of this scan:

  KLOC            lines of the sources of the project's commands, in thousands
  shared          variables that `scan --shared` lists
  never locked    of those, the ones of which no access holds a lock
  warnings        listed without the judges `history`, `values` and `transaction`
  after history   … that the judge `history` does not refute
  after values    … nor the judges `values` and `transaction`
  after covers    … of which no others say as much (`--cover=history`)
  contexts merged … counted by their two places in the source, whatever stacks and threads lead there
  likely          … of those after values
  CPU s           user time of that scan, without the capture and without the store

A list of warnings is full at 3000: `3000+`. PROJECT is a folder that holds a captured project (.heddle).
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROW = "| {} | {:.1f} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} |"
FULL = 3000


def run(heddle, folder, words):
    """What a scan prints, and the user time that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([heddle, "scan", "--no-store", *words], cwd=folder, capture_output=True, text=True,
                          errors="replace", check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{folder}: scan {' '.join(words)}: exit code {done.returncode}\n{done.stderr[-400:]}")
    return done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def open_races(heddle, folder, words):
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "report.json"
        _, seconds = run(heddle, folder, [*words, "--format", "json", "-o", str(output)])
        races = json.loads(output.read_text())["races"]
    return [race for race in races if race["verdict"] != "refuted"], seconds


def lines_of(folder):
    """Of each source once; what a build made and removed again does not count."""
    commands = json.loads((folder / ".heddle" / "commands.json").read_text().split("\nheddle seal ")[0])
    files = {os.path.normpath(os.path.join(command["directory"], command["file"])) for command in commands}
    return sum(pathlib.Path(file).read_bytes().count(b"\n") for file in files if os.path.exists(file))


def shared_variables(heddle, folder, words):
    """How many there are, and of how many no access holds a lock."""
    text, _ = run(heddle, folder, [*words, "--shared", "--limit", "0"])
    last = text.strip().splitlines()[-1]
    found = re.search(r"(\d+) shared variables?, (\d+) of them never", last)
    return found.groups() if found else ("?", "?")


def places(race):
    return frozenset((one["file"], one["line"], one["column"], one["kind"]) for one in race["accesses"])


def count(races):
    return f"{FULL}+" if len(races) >= FULL else len(races)


def row(heddle, text):
    name, _, choice = text.partition("=")
    folder = pathlib.Path(name).resolve()
    program, _, profile = choice.partition(",")
    words = (["--program", program] if program else []) + (["--profile", profile] if profile else [])
    without_values = ["--no-values", "--no-transactions"]
    all_of_them, _ = open_races(heddle, folder, [*words, *without_values, "--no-history"])
    history, _ = open_races(heddle, folder, [*words, *without_values])
    values, seconds = open_races(heddle, folder, words)
    uncovered = [race for race in values if not race.get("covered_by")]
    likely = [race for race in values if race["verdict"] == "likely"]
    return ROW.format(folder.name, lines_of(folder) / 1000, *shared_variables(heddle, folder, words),
                      count(all_of_them), count(history), count(values), len(uncovered),
                      len({places(race) for race in uncovered}), len(likely), seconds)


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    heddle = pathlib.Path(sys.argv[1]).resolve()
    print("| project | KLOC | shared | never locked | warnings | after history | after values | after covers | "
          "contexts merged | likely | CPU s |\n| --- |" + " ---: |" * 10, flush=True)
    for text in sys.argv[2:]:
        print(row(heddle, text), flush=True)


if __name__ == "__main__":
    main()
