#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two builds of heddle, old and new, take turns in one run: processor time, peak memory and instructions, with ratios.

usage: compare_builds.py OLD NEW [--verify FOLDER|FILE…] [--scan PROJECT…] [--rounds 9] [--sample N]

--verify takes sources, or folders of them. A folder with a manifest.tsv (columns `file` and `data_model`) is a corpus:
its files are verified in their data model. Programs of tests/programs get the flags they ask for. --sample takes that
many of the programs, evenly from the sorted list. --scan takes folders that hold a captured project: PROJECT,
PROJECT=PROGRAM for one of its programs, or OLD_PROJECT:NEW_PROJECT where the two builds cannot read the same units.

In each round every task runs once with each build, one directly after the other, and the build that goes first changes
from round to round: company on the machine hits both alike. A task's figure is its median over the rounds; a row of
many programs has the sum of their medians (time, instructions) or the mean (memory). Time is user and system time of
the process, memory its largest resident set. Both builds are run from copies made alike and without debug information:
pages of the program itself count as memory, and how many are mapped depends on how its file was written (two megabytes
more or less for the same program). Instructions are those of user space, counted by `perf stat` in three more runs
where the processor's counter can be read. --count-with cachegrind counts them with valgrind instead, once, some thirty
times slower: take a sample. Scans run on one thread, read the linked Program and write the whole report to nowhere.

Prints Markdown tables: all rows, then the programs whose figures grew most. With --most 1.10 (time and memory) or
--most-instructions 1.05 the exit code is 1 if a row's ratio is larger.
"""
import argparse
import csv
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from run_programs import PROGRAMS, read_program  # noqa: E402: the path comes first

SUFFIXES = (".c", ".cpp", ".i", ".ii")
PERF_ROUNDS = 3
LONG_ENOUGH = 0.2  # seconds: below it, a program's own ratio says little
MEASURES = ("cpu", "peak", "instructions")


class Task:
    """One command, the same for both builds but for the program's path (and the project's, if there are two)."""

    def __init__(self, row, name, words, folders=(None, None)):
        self.row, self.name, self.words, self.folders = row, name, words, folders
        self.taken = {build: {measure: [] for measure in MEASURES} for build in (0, 1)}
        self.codes = (set(), set())

    def median(self, build, measure):
        figures = self.taken[build][measure]
        return statistics.median(figures) if figures else None


# ---- running


class Runner:
    def __init__(self, builds, options):
        self.seconds = options.seconds
        self.scratch = tempfile.TemporaryDirectory()
        self.builds = [self.copy(build, name) for build, name in zip(builds, ("old", "new"))]
        self.counter = options.count_with
        if self.counter == "auto":
            self.counter = "perf" if self.count("perf", ["true"]) else "none"

    def copy(self, build, name):
        folder = pathlib.Path(self.scratch.name) / name
        folder.mkdir()
        shutil.copy(build, folder / "heddle")
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-debug", folder / "heddle"], check=True)
        return folder / "heddle"

    def words(self, task, build):
        return [str(self.builds[build]), *task.words]

    def run(self, task, build):
        """One timed run."""
        began = time.monotonic()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(self.words(task, build), cwd=task.folders[build], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=said)
            usage = self.wait(process, began, task)
            said.seek(0)
            text = said.read().decode(errors="replace")
        if "another version of heddle" in text:
            sys.exit(f"{task.name}: the builds do not read each other's captures; give --scan OLD_PROJECT:NEW_PROJECT")
        if process.returncode not in (0, 1, 3):
            sys.exit(f"{task.name}: {self.builds[build]} ended with {process.returncode}: {text.strip()[-300:]}")
        task.codes[build].add(process.returncode)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def wait(self, process, began, task):
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return usage
            if time.monotonic() - began > self.seconds:
                process.kill()
                os.wait4(process.pid, 0)
                sys.exit(f"{task.name}: no answer within {self.seconds} s")
            time.sleep(0.002)

    def count(self, tool, words, folder=None):
        """Instructions in user space, or None."""
        out = pathlib.Path(self.scratch.name) / "counted"
        out.unlink(missing_ok=True)
        command, pattern = {
            "perf": (["perf", "stat", "-x,", "-e", "instructions:u", "-o", out, "--"], r"^(\d+),.*instructions"),
            "cachegrind": (["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                            f"--log-file={out}", "--main-stacksize=67108864"], r"I\s+refs:\s+([\d,]+)"),
        }[tool]
        if shutil.which(command[0]) is None:
            return None
        subprocess.run([*command, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        found = re.findall(pattern, out.read_text(), re.M) if out.exists() else []  # several: one per kind of core
        return sum(int(number.replace(",", "")) for number in found) or None

    def round(self, task, number):
        for build in (0, 1) if number % 2 == 0 else (1, 0):
            cpu, peak = self.run(task, build)
            task.taken[build]["cpu"].append(cpu)
            task.taken[build]["peak"].append(peak)
            if self.counter != "none" and number < (PERF_ROUNDS if self.counter == "perf" else 1):
                counted = self.count(self.counter, self.words(task, build), task.folders[build])
                task.taken[build]["instructions"] += [counted] if counted else []


# ---- tasks


def verify_tasks(places, sample):
    files = []
    for place in places:
        manifest = place / "manifest.tsv"
        if manifest.exists():
            with open(manifest) as rows:
                files += [(place / row["file"], row["data_model"]) for row in csv.DictReader(rows, delimiter="\t")]
        elif place.is_dir():
            files += [(path, None) for path in sorted(place.rglob("*")) if path.suffix in SUFFIXES]
        else:
            files.append((place, None))
    if sample and sample < len(files):
        files = [files[i * len(files) // sample] for i in range(sample)]
    for path, model in files:
        flags = read_program(path).flags if PROGRAMS in path.parents else []
        words = ["verify", str(path), "--format", "json", "-o", os.devnull]
        words += (["--data-model", model] if model else []) + (["--", *flags] if flags else [])
        yield Task(f"verify, {len(files)} programs" if len(files) > 1 else f"verify {path.name}", path.name, words)


def scan_tasks(places):
    for place in places:
        folders, _, program = place.partition("=")
        old, _, new = folders.partition(":")
        folders = [pathlib.Path(folder).resolve() for folder in (old, new or old)]
        for folder in folders:
            if not (folder / ".heddle").is_dir():
                sys.exit(f"{folder}: no captured project (.heddle) is here")
        name = f"scan {folders[0].name}" + (f", {program}" if program else "")
        words = ["scan", "--no-store", "-j1", "--format", "json", "-o", os.devnull]
        yield Task(name, name, words + (["--program", program] if program else []), folders)


# ---- tables


def ratio(old, new):
    return new / old if old and new is not None else None


def shown(figure, form):
    return "" if figure is None else format(figure, form)


def row_figures(tasks, measure):
    """(old, new) of one row: of the tasks that have the figure for both builds."""
    both = [(task.median(0, measure), task.median(1, measure)) for task in tasks]
    both = [pair for pair in both if None not in pair]
    if not both:
        return None, None
    parts = len(both) if measure == "peak" else 1
    return sum(old for old, _ in both) / parts, sum(new for _, new in both) / parts


def table(rows, head):
    """Rows of (name, tasks). Returns the largest ratios: {measure: ratio}."""
    print(f"| {head} | CPU s, old | new | ratio | peak MB, old | new | ratio | 10⁹ instructions, old | new | ratio |")
    print("| --- |" + " ---: |" * 9)
    largest = dict.fromkeys(MEASURES, 0.0)
    for name, tasks in rows:
        cells = []
        for measure, form, scale in (("cpu", ".2f", 1), ("peak", ".1f", 1), ("instructions", ".3f", 1e-9)):
            old, new = row_figures(tasks, measure)
            grown = ratio(old, new)
            largest[measure] = max(largest[measure], grown or 0.0)
            cells += [shown(old and old * scale, form), shown(new and new * scale, form), shown(grown, ".3f")]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()
    return largest


def grown_most(tasks, measure):
    long = [task for task in tasks if task.median(0, "cpu") >= LONG_ENOUGH]
    grown = {task: ratio(task.median(0, measure), task.median(1, measure)) or 0 for task in long}
    return sorted(long, key=lambda task: (-grown[task], task.name))[:5]


def report(tasks, counter, rounds):
    rows = {}
    for task in tasks:
        rows.setdefault(task.row, []).append(task)
    counted = {"none": "not counted: the counter cannot be read here", "perf": "by perf", "cachegrind": "by cachegrind"}
    print(f"{rounds} rounds, medians. Instructions: {counted[counter]}.\n")
    largest = table(rows.items(), "task")
    many = [task for same in rows.values() if len(same) > 1 for task in same]
    worst = {task.name: [task] for measure in MEASURES for task in grown_most(many, measure)}
    if worst:
        table(worst.items(), f"grew most, of programs that take {LONG_ENOUGH} s")
    for task in tasks:
        if task.codes[0] != task.codes[1]:
            print(f"{task.name}: exit codes differ: {sorted(task.codes[0])} and {sorted(task.codes[1])}")
    return largest


def absolute(text):
    return pathlib.Path(text).resolve()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=absolute)
    parser.add_argument("new", type=absolute)
    parser.add_argument("--verify", nargs="+", default=[], type=absolute, metavar="FOLDER|FILE")
    parser.add_argument("--scan", nargs="+", default=[], metavar="PROJECT")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seconds", type=float, default=600, help="most wall time of one run")
    parser.add_argument("--count-with", choices=("auto", "perf", "cachegrind", "none"), default="auto")
    parser.add_argument("--most", type=float, metavar="RATIO")
    parser.add_argument("--most-instructions", type=float, metavar="RATIO")
    arguments = parser.parse_args()
    for build in (arguments.old, arguments.new):
        if not os.access(build, os.X_OK):
            parser.error(f"{build} is no executable file")
    return arguments


def main():
    arguments = parse_arguments()
    runner = Runner((arguments.old, arguments.new), arguments)
    tasks = [*verify_tasks(arguments.verify, arguments.sample), *scan_tasks(arguments.scan)]
    if not tasks:
        sys.exit("nothing to measure: give --verify, --scan or both")
    for task in tasks:
        if task.folders[0]:  # links, and keeps the linked Program
            for build in (0, 1):
                subprocess.run(runner.words(task, build), cwd=task.folders[build], capture_output=True, check=False)
    for number in range(arguments.rounds):
        for task in tasks:
            runner.round(task, number)
        print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr, flush=True)
    largest = report(tasks, runner.counter, arguments.rounds)
    limits = {"cpu": arguments.most, "peak": arguments.most, "instructions": arguments.most_instructions}
    return 1 if any(limit and largest[measure] > limit for measure, limit in limits.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
