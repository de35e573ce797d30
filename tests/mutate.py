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

The tree itself is never changed, and no copy either: a copy of the tree (build/mutate) is built once as it is, without
debug information and warnings, for only the verdicts of tests count. For each mutation the files that read the mutated
one are compiled once more, with the mutated text in its place (an overlay of clang's), and linked with everything else
of the copy; as many mutations at a time as there are processors. The copy is brought up to date first; --copy FOLDER
takes another one, with what is built in its build/release. Before the first mutation the tests run as they are, and
must pass. --every N takes each Nth mutation.

caught: a test fails, crashes or does not end. Everything else fails: survived; stale (the old text is not there exactly
once); does not build; no test fits the filter. The last line is `N passed, M failed`. All of them take an hour and
more, so `scripts/test` does not run this.
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

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

SIDE_FILES = ("libheddle_driver.so", "libheddle_runtime.a", "libheddle_intercept.so")  # heddle looks for them beside it


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

    def make(self):
        """Everything as it is; then what is compiled and linked how, and which files each object was made from."""
        done = self.run(["ninja", "-C", self.build, f"-j{self.jobs}", "heddle", "heddle_unit_tests", *SIDE_FILES])
        if done.returncode != 0:
            sys.exit("the tree does not build:\n" + "\n".join(done.stdout.splitlines()[-12:]))
        commands = json.loads((self.build / "compile_commands.json").read_text())
        self.compile = {words[words.index("-o") + 1]: words for words in (words_of(one["command"]) for one in commands)}
        self.link = {target: self.link_command(target) for target in ("heddle", "heddle_unit_tests", SIDE_FILES[0])}
        self.objects = {target: self.objects_in(target) for target in self.link}
        for target in self.objects:  # what only lies beside it is an input, too, and has the same functions
            if target != SIDE_FILES[0]:
                self.objects[target] -= self.objects[SIDE_FILES[0]]
        self.readers = self.files_read()

    def link_command(self, target):
        last = self.run(["ninja", "-C", self.build, "-t", "commands", "-s", target]).stdout.splitlines()[-1]
        return words_of(last.removeprefix(": && ").removesuffix(" && :"))

    def objects_in(self, target):
        """The objects that a target is linked from, those in its archives, too."""
        inputs = self.run(["ninja", "-C", self.build, "-t", "inputs", target]).stdout.split()
        return {name for name in inputs if name in self.compile}

    def files_read(self):
        """file: the objects that were made from it."""
        out, current = {}, None
        for line in self.run(["ninja", "-C", self.build, "-t", "deps"]).stdout.splitlines():
            if line and not line.startswith(" "):
                current = line.split(":")[0]
            elif line.strip() and current in self.compile:
                out.setdefault(os.path.normpath(self.build / line.strip()), []).append(current)
        return out

    def limited(self, words):
        """(exit code, output); a code of None if it did not end."""
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        try:
            done = self.run(words, timeout=self.seconds, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout + done.stderr

    @functools.cache
    def tests_that_fit(self, tests):
        _, text = self.limited([self.build / "heddle_unit_tests", "--gtest_list_tests", f"--gtest_filter={tests}"])
        return sum(line.startswith("  ") for line in text.splitlines())

    def unit_tests(self, folder, tests):
        """Why the tests fail, or None."""
        code, text = self.limited([folder / "heddle_unit_tests", "--gtest_brief=1", f"--gtest_filter={tests}"])
        if code == 0:
            return None
        failed = sorted(set(re.findall(r"^\[  FAILED  \] (\w[\w/]*\.[\w/]+)", text, re.M)))
        if code is None:
            return "the tests do not end"
        return ", ".join(failed[:3]) + (f" and {len(failed) - 3} more" if len(failed) > 3 else "") if failed \
            else f"the tests end with code {code}"

    def suite(self, folder, command):
        words = [word.replace("{heddle}", str(folder / "heddle")) for word in shlex.split(command)]
        code, text = self.limited(words)
        if code == 0:
            return None
        failures = [line for line in text.splitlines() if line.startswith("FAIL")]
        return (failures or [f"the suite ends with code {code}"])[0]


def words_of(command):
    """Of a compiler's command, without what is put in front of it to keep its answers."""
    words = shlex.split(command)
    return words[next(index for index, word in enumerate(words) if "clang" in word.rsplit("/", 1)[-1]):]


def with_output(words, output):
    index = words.index("-o")
    return [*words[:index + 1], str(output), *words[index + 2:]]


class Mutant:
    """The copy with one mutation, as far as it differs: objects and programs in a folder of its own."""

    def __init__(self, copy, mutation, folder):
        self.copy, self.folder = copy, folder
        mutated = folder / ("mutated" + pathlib.Path(mutation.file).suffix)
        mutated.write_text((copy.tree / mutation.file).read_text().replace(mutation.old, mutation.new))
        place = {"type": "file", "name": str(copy.tree / mutation.file), "external-contents": str(mutated)}
        self.overlay = folder / "overlay.json"
        self.overlay.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": [place]}))
        self.changed = copy.readers.get(str(copy.tree / mutation.file), [])

    def make(self, target):
        """The last lines of what went wrong, or None."""
        made = {}
        for number, name in enumerate(sorted(self.copy.objects[target].intersection(self.changed))):
            made[name] = str(self.folder / f"{target}-{number}.o")
            words = with_output(self.copy.compile[name], made[name])
            if trouble := self.do([*words, "-ivfsoverlay", str(self.overlay)]):
                return trouble
        words = [made.get(word, word) for word in with_output(self.copy.link[target], self.folder / target)]
        # What stands in an archive is not taken from there if its symbols are defined before.
        return self.do([words[0], *(path for path in made.values() if path not in words), *words[1:]])

    def do(self, words):
        done = subprocess.run(words, cwd=self.copy.build, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", check=False)
        return None if done.returncode == 0 else "\n".join((done.stdout + done.stderr).splitlines()[-12:])

    def make_heddle(self):
        for name in SIDE_FILES:
            (self.folder / name).symlink_to(self.copy.build / name)
        if self.copy.objects[SIDE_FILES[0]].intersection(self.changed):
            (self.folder / SIDE_FILES[0]).unlink()
            if trouble := self.make(SIDE_FILES[0]):
                return trouble
        return self.make("heddle")


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
    if tests and copy.tests_that_fit(tests) == 0:
        return False, f"survived: no test fits {tests}"
    with tempfile.TemporaryDirectory(prefix="heddle-mutant-") as name:
        folder = pathlib.Path(name)
        mutant = Mutant(copy, mutation, folder)
        if not mutant.changed:
            return False, f"survived: nothing is compiled from {mutation.file}"
        trouble = mutant.make("heddle_unit_tests") if tests else mutant.make_heddle()
        if trouble:
            return False, "does not build\n" + trouble
        why = copy.unit_tests(folder, tests) if tests else copy.suite(folder, mutation.fields["suite"])
        return why is not None, f"caught: {why}" if why else f"survived: {tests or mutation.fields['suite']}"


def check_unmutated(copy, chosen, override):
    """Everything passes as it is, else nothing can be said of mutations."""
    filters = {override or mutation.fields["tests"] for mutation in chosen if override or "tests" in mutation.fields}
    suites = {mutation.fields["suite"] for mutation in chosen if not override and "suite" in mutation.fields}
    failures = [copy.unit_tests(copy.build, ":".join(sorted(filters)))] if filters else []
    failures += [copy.suite(copy.build, suite) for suite in sorted(suites)]
    if any(failures):
        sys.exit(f"without any mutation: {next(filter(None, failures))}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="*", metavar="LIST", choices=[[], *(path.stem for path in LISTS.glob("*.txt"))])
    parser.add_argument("--only", type=int, action="append", metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N")
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
    chosen = chosen[::arguments.every]
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
    copy.make()
    check_unmutated(copy, chosen, arguments.tests)
    passed = 0

    def judged(mutation):
        return mutation, *judge(copy, mutation, arguments.tests or mutation.fields.get("tests"))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for mutation, caught, said in pool.map(judged, chosen):
            passed += caught
            print(f"{'' if caught else 'FAIL '}{mutation.number} {mutation.file}: {mutation.title}: {said}", flush=True)
    print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
