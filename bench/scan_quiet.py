#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much `heddle scan` says about programs that have no race, and about captured projects.

usage: scan_quiet.py HEDDLE [PROJECT[=PROGRAM[,PROFILE]]…] [--list] [--draw N --seed S -o FILE | --ask FILE]

The programs are those of tests/programs whose name ends with `_safe`: every warning on one of them is a false alarm.
Each is scanned as a file; --list names those with a `likely` warning, with the number of warnings of each word.
PROJECT is a folder that holds a captured project (.heddle). It is scanned without the store.

--draw takes N likely warnings of each project by chance, the same ones for the same seed and the same report, and
writes them for reading by hand. --ask reads such a file and says of each warning what this build makes of it: `likely`,
`unlikely` or `none`; a label that was written into the file is counted with it.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
from run_programs import read_program  # noqa: E402 (it stands in another folder)

PROGRAMS = HERE.parent / "tests" / "programs"


def scan(heddle, words, cwd):
    """The report of one scan, as JSON gives it."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "report.json"
        done = subprocess.run([heddle, "scan", "--format", "json", "-o", output, *words], cwd=cwd, capture_output=True,
                              text=True, errors="replace", check=False)
        if done.returncode not in (0, 1, 3) or not output.exists():
            sys.exit(f"scan {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr[-400:]}")
        return json.loads(output.read_text())


def words_of(report):
    """How many warnings there are of each word."""
    return collections.Counter(race["verdict"] for race in report["races"])


def safe_programs():
    """The programs without a race, in the order of their names."""
    files = sorted(path for path in PROGRAMS.rglob("*.c*") if path.stem.endswith("_safe"))
    return [read_program(path) for path in files]


def count_programs(heddle, listed):
    programs = safe_programs()
    noisy = warned = total = 0
    for program in programs:
        behind = ["--", *program.flags] if program.flags else []
        words = words_of(scan(heddle, ["-j1", program.path, *behind], program.path.parent))
        noisy += words["likely"] > 0
        warned += sum(words.values()) > 0
        total += words["likely"]
        if listed and words["likely"]:
            print(f"{program.title}: {words['likely']} likely, {words['unlikely']} unlikely", flush=True)
    print(f"safe programs: {len(programs)}; with a warning: {warned}; with a likely one: {noisy}; "
          f"likely warnings: {total}")


class Project:
    """A captured project, and which program of it is scanned, by which profile."""

    def __init__(self, text):
        folder, _, choice = text.partition("=")
        self.folder = pathlib.Path(folder).resolve()
        self.name = self.folder.name
        program, _, profile = choice.partition(",")
        self.words = ["--no-store"] + (["--program", program] if program else [])
        self.words += ["--profile", profile] if profile else []

    def scan(self, heddle):
        return scan(heddle, self.words, self.folder)


def place(access):
    thread = access["threads"][0]["entry"]
    return f"{access['file']}:{access['line']} {access['kind']} in {access['function']} by {thread}"


def drawn(report, number, seed, name):
    """Some of the likely warnings, in the order of the report."""
    likely = [race for race in report["races"] if race["verdict"] == "likely"]
    chance = random.Random(f"{seed} {name}")
    some = sorted(chance.sample(range(len(likely)), min(number, len(likely))))
    return [{"project": name, "id": likely[at]["id"], "variable": likely[at]["variable"], "rank": at + 1,
             "accesses": [place(access) for access in likely[at]["accesses"]], "label": ""} for at in some]


def answer(asked, reports):
    """What became of each warning that was drawn, by label."""
    became = collections.Counter()
    for warning in asked:
        if warning["project"] not in reports:
            continue
        words = {race["id"]: race["verdict"] for race in reports[warning["project"]]["races"]}
        word = words.get(warning["id"], "none")
        became[warning["label"] or "no label", word] += 1
        print(f"{word:9}{warning['project']} {warning['id']} {warning['variable']}: {warning['label']}")
    for (label, word), number in sorted(became.items()):
        print(f"{number:5} {word:9}{label}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("projects", nargs="*", type=Project)
    parser.add_argument("--no-programs", action="store_true", help="only the projects")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--draw", type=int, metavar="N")
    parser.add_argument("--seed", default="1")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--ask", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if options.draw and not options.output:
        parser.error("--draw needs -o FILE")
    if not options.no_programs:
        count_programs(options.heddle, options.list)
    reports, sample, together = {}, [], 0
    for project in options.projects:
        report = reports[project.name] = project.scan(options.heddle)
        words = words_of(report)
        together += words["likely"]
        print(f"{project.name}: {len(report['races'])} warnings, {words['likely']} likely; "
              f"not listed: {report.get('not_listed', 0)}", flush=True)
        sample += drawn(report, options.draw, options.seed, project.name) if options.draw else []
    if options.projects:
        print(f"projects: {len(reports)}; likely warnings: {together}")
    if options.draw:
        options.output.write_text(json.dumps(sample, indent=1) + "\n")
    if options.ask:
        answer(json.loads(options.ask.read_text()), reports)


if __name__ == "__main__":
    main()
