#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weakens the analysis in one place after the other and looks whether the unit tests notice.

    tests/mutate.py                 every mutation of tests/mutations/
    tests/mutate.py scan            those of tests/mutations/scan.txt
    tests/mutate.py scan --only 3   one of them, by number; may be repeated
    tests/mutate.py --list          what there is
    tests/mutate.py --stale         only whether the old texts are there; takes a second, and scripts/test does it
    tests/mutate.py --tests '*'     with these unit tests (a filter of GoogleTest) instead of those the list names

A mutation is a file, a text that occurs there exactly once, the text to put in its place, and who should notice:

    == two readers exclude each other
    file: src/locks/excludes.h
    tests: Excludes.*
    --- old
    the text as it stands there
    --- new
    the same, weakened

`suite: COMMAND` in place of `tests:` is for what only a suite can see; {heddle} in it is the mutated heddle. Old and
new are taken without line breaks around them; lines that begin with # before the first `==` are comments.

Each mutation is built and its tests are run in a copy of the tree (build/mutate), never in the tree itself. The copy
is brought up to date first, so an interrupted run leaves nothing behind. The first run builds everything, without debug
information and warnings, for only the verdicts of tests count; later ones build what changed. --copy FOLDER takes
another copy of the tree, with what is built in its build/release. Before the first mutation the tests run as they are,
and must pass.

caught: a test fails, crashes or does not end. Everything else fails: survived; stale (the old text is not there exactly
once); does not build; no test fits the filter. The last line is `N passed, M failed`. A mutation takes about half a
minute, so `scripts/test` does not run this.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests" / "mutations"
MEMORY = 8 << 30  # bytes that a mutated analysis may take


@dataclasses.dataclass
class Mutation:
    number: int
    title: str
    fields: dict = dataclasses.field(default_factory=dict)
    old: str = ""
    new: str = ""

    @property
    def file(self):
        return self.fields["file"]

    def problem(self):
        """What is wrong with the entry itself, or None."""
        unknown = set(self.fields) - {"file", "tests", "suite"}
        if unknown:
            return f"unknown field {sorted(unknown)[0]}"
        if "file" not in self.fields or len(self.fields) != 2:
            return "an entry has a file, and tests or a suite"
        return "nothing to replace" if not self.old or self.old == self.new else None


def read_lists(paths):
    """The mutations of all of them, numbered through."""
    out = []
    for path in paths:
        out += read_list(path, len(out))
    return out


def read_list(path, before):
    out, part = [], "head"
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("== "):
            out.append(Mutation(before + len(out) + 1, line[3:].strip()))
            part = "fields"
        elif not out:
            if line.strip() and not line.startswith("#"):
                sys.exit(f"{path}:{number}: text before the first mutation")
        elif line in ("--- old", "--- new"):
            part = line[4:]
        elif part == "fields":
            name, colon, value = line.partition(":")
            if colon:
                out[-1].fields[name.strip()] = value.strip()
            elif line.strip():
                sys.exit(f"{path}:{number}: not of the form `name: value`")
        else:
            setattr(out[-1], part, getattr(out[-1], part) + line + "\n")
    for mutation in out:
        mutation.old, mutation.new = mutation.old.strip("\n"), mutation.new.strip("\n")
        if mutation.problem():
            sys.exit(f"{path}: {mutation.title}: {mutation.problem()}")
    return out


# ---- the copy


class Copy:
    """A copy of the tree with a build of its own."""

    def __init__(self, folder, jobs, seconds):
        self.tree, self.build, self.jobs, self.seconds = folder, folder / "build" / "release", jobs, seconds
        if folder.exists() and folder.samefile(ROOT):
            sys.exit("the copy cannot be the tree itself")

    def bring_up_to_date(self):
        """As the tree is now. Files that are equal keep their time, so that ninja builds what changed only."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, text=True, check=True).stdout.split("\0")
        names = {name for name in listed if name and (ROOT / name).is_file()}
        for folder in sorted({name.split("/")[0] for name in names if "/" in name}):
            for path in sorted((self.tree / folder).rglob("*")):
                if path.is_file() and str(path.relative_to(self.tree)) not in names:
                    path.unlink()
        for name in sorted(names):
            content, copy = (ROOT / name).read_bytes(), self.tree / name
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
                shutil.copymode(ROOT / name, copy)

    def run(self, words, **more):
        return subprocess.run(words, cwd=self.tree, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", check=False, **more)

    def configure(self):
        if (self.build / "build.ninja").exists():
            return
        done = self.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                         "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_CXX_FLAGS=-O1 -w",
                         "-DHEDDLE_STATIC_LLVM=OFF"])
        if done.returncode != 0:
            sys.exit(f"the copy cannot be configured:\n{done.stdout}{done.stderr}")

    def make(self, target):
        """The last lines of what went wrong, or None."""
        done = self.run(["ninja", "-C", self.build, f"-j{self.jobs}", target])
        return None if done.returncode == 0 else "\n".join(done.stdout.splitlines()[-12:])

    def limited(self, words):
        """(exit code, output); a code of None if it did not end."""
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        try:
            done = self.run(words, timeout=self.seconds, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout + done.stderr

    def tests_that_fit(self, tests):
        _, text = self.limited([self.build / "heddle_unit_tests", "--gtest_list_tests", f"--gtest_filter={tests}"])
        return sum(line.startswith("  ") for line in text.splitlines())

    def unit_tests(self, tests):
        """Why the tests fail, or None."""
        code, text = self.limited([self.build / "heddle_unit_tests", "--gtest_brief=1", f"--gtest_filter={tests}"])
        if code == 0:
            return None
        failed = sorted(set(re.findall(r"^\[  FAILED  \] (\w[\w/]*\.[\w/]+)", text, re.M)))
        if code is None:
            return "the tests do not end"
        return ", ".join(failed[:3]) + (f" and {len(failed) - 3} more" if len(failed) > 3 else "") if failed \
            else f"the tests end with code {code}"

    def suite(self, command):
        words = [word.replace("{heddle}", str(self.build / "heddle")) for word in shlex.split(command)]
        code, text = self.limited(words)
        if code == 0:
            return None
        failures = [line for line in text.splitlines() if line.startswith("FAIL")]
        return (failures or [f"the suite ends with code {code}"])[0]


# ---- judging


def stale(tree, mutation):
    """Why it cannot be applied, or None."""
    path = tree / mutation.file
    count = path.read_text().count(mutation.old) if path.is_file() else 0
    return None if count == 1 else f"stale: the old text occurs {count} times in {mutation.file}"


def judge(copy, mutation, tests):
    """(caught, what to say)."""
    if trouble := stale(copy.tree, mutation):
        return False, trouble
    path = copy.tree / mutation.file
    content = path.read_text()
    path.write_text(content.replace(mutation.old, mutation.new))
    try:
        if tests and copy.tests_that_fit(tests) == 0:
            return False, f"survived: no test fits {tests}"
        trouble = copy.make("heddle_unit_tests" if tests else "heddle")
        if trouble:
            return False, "does not build\n" + trouble
        why = copy.unit_tests(tests) if tests else copy.suite(mutation.fields["suite"])
        return why is not None, f"caught: {why}" if why else f"survived: {tests or mutation.fields['suite']}"
    finally:
        path.write_text(content)


def check_unmutated(copy, chosen, override):
    """Everything passes as it is, else nothing can be said of mutations."""
    filters = {override or mutation.fields["tests"] for mutation in chosen if override or "tests" in mutation.fields}
    suites = {mutation.fields["suite"] for mutation in chosen if not override and "suite" in mutation.fields}
    for target in ["heddle_unit_tests"] * bool(filters) + ["heddle"] * bool(suites):
        if trouble := copy.make(target):
            sys.exit(f"the tree does not build:\n{trouble}")
    failures = [copy.unit_tests(":".join(sorted(filters)))] if filters else []
    failures += [copy.suite(suite) for suite in sorted(suites)]
    if any(failures):
        sys.exit(f"without any mutation: {next(filter(None, failures))}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", metavar="LIST", choices=[[], *(path.stem for path in LISTS.glob("*.txt"))])
    parser.add_argument("--only", type=int, action="append", metavar="N")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--tests", metavar="FILTER")
    parser.add_argument("--copy", type=pathlib.Path, default=ROOT / "build" / "mutate", metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=300, help="most time that tests may take")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    mutations = read_lists([LISTS / f"{name}.txt" for name in arguments.lists] or sorted(LISTS.glob("*.txt")))
    if arguments.only and not set(arguments.only) <= {mutation.number for mutation in mutations}:
        sys.exit(f"there are mutations 1 to {len(mutations)}")
    chosen = [mutation for mutation in mutations if not arguments.only or mutation.number in arguments.only]
    if arguments.list:
        for mutation in chosen:
            print(f"{mutation.number:3} {mutation.file}: {mutation.title}")
        return 0
    if arguments.stale:
        troubles = [f"FAIL {mutation.number} {mutation.title}: {trouble}"
                    for mutation in chosen if (trouble := stale(ROOT, mutation))]
        print("\n".join([*troubles, f"{len(chosen) - len(troubles)} passed, {len(troubles)} failed"]))
        return 1 if troubles else 0
    copy = Copy(arguments.copy.resolve(), arguments.jobs, arguments.seconds)
    copy.bring_up_to_date()
    copy.configure()
    check_unmutated(copy, chosen, arguments.tests)
    passed = 0
    for mutation in chosen:
        caught, said = judge(copy, mutation, arguments.tests or mutation.fields.get("tests"))
        passed += caught
        print(f"{'' if caught else 'FAIL '}{mutation.number} {mutation.file}: {mutation.title}: {said}", flush=True)
    print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
