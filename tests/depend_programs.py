#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle depend` on the firmware programs of tests/depend.

    tests/depend_programs.py --heddle build/release/heddle [--only TEXT]

A program has functions `task` and `isr1`, `isr2`, `isr3`: a task of priority 1, interrupts of that number and of
priority 2, 3, 4; `off(n)` masks interrupt n, `on(n)` lets it in, -1 are all. More lines of heddle.toml stand behind
`// toml: `. Lines are named by a comment `// @name` at their end:

    // BUG: x R@a W@b R@c       this triple must be found, and confirmed by a run
    // OPEN: x R@a W@b R@c      this one must be found, and cannot be run
    // TRAP: x R@a W@b R@c      this one must not be found, also if nothing is run
    // NEVER: x R@a W@b R@c     this one may be found, and must be refuted by running it

Every triple that is found must be of a variable that one of these lines, but TRAP, names. The last line is
`N passed, M failed`; N and M count these lines.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import limits

FOLDER = pathlib.Path(__file__).resolve().parent / "depend"
SECONDS = limits.seconds(60)
MASK = '[[mask]]\ndisable = "off"\nenable = "on"\nargument = 0\nall = -1\n'


def entries_of(text):
    """The heddle.toml of the usual names."""
    out = ""
    for name, kind, number in [("task", "task", 0), ("isr1", "interrupt", 1), ("isr2", "interrupt", 2),
                               ("isr3", "interrupt", 3)]:
        if f"void {name}(void)" not in text:
            continue
        out += f'[[entry]]\nfunction = "{name}"\nkind = "{kind}"\npriority = {number + 1}\n'
        if kind == "interrupt":
            out += f"number = {number}\n"
    return out + (MASK if "void off(int)" in text else "")


def expected(text):
    """[(BUG, OPEN, TRAP or NEVER, triple as heddle prints it)]"""
    lines = {}
    for number, line in enumerate(text.splitlines(), 1):
        for name in re.findall(r"// @(\w+)", line):
            lines[name] = number
    out = []
    for kind, variable, *places in re.findall(r"^// (BUG|OPEN|TRAP|NEVER): (\S+) (\S+) (\S+) (\S+)$", text, re.M):
        parts = [f"<{place[0]}#{lines[place[2:]]}>" for place in places]
        out.append((kind, variable + ",".join(parts)))
    return out


def run(heddle, program, text, words):
    """(exit code, what it prints)"""
    toml = entries_of(text) + "".join(line + "\n" for line in re.findall(r"^// toml: (.*)$", text, re.M))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / program.name
        source.write_text(text)
        (pathlib.Path(folder) / "heddle.toml").write_text(toml)
        done = subprocess.run([heddle, "depend", str(source), *words], capture_output=True, text=True, timeout=SECONDS,
                              check=False)
    return done.returncode, done.stdout + done.stderr


def verdicts_of(report):
    """{triple: confirmed, refuted or not decided}"""
    triple, out = None, {}
    for line in report.splitlines():
        if re.match(r"\S+<[RW]#\d+>,<[RW]#\d+>,<[RW]#\d+>$", line):
            triple = line
        elif found := re.match(r"    (confirmed|refuted|not decided)", line):
            out[triple] = found[1]
    return out


def check(heddle, program):
    """(passed, problems)"""
    text = program.read_text()
    wanted = expected(text)
    if not wanted:
        return 0, ["it has no BUG, OPEN, TRAP or NEVER line"]
    code, listed = run(heddle, program, text, ["--format=triples", "--no-settle"])
    if code not in (0, 1):
        return len(wanted), [f"exit code {code}: {listed.strip()}"]
    found = listed.split()
    verdicts = verdicts_of(run(heddle, program, text, ["--all"])[1])
    buggy = {triple.partition("<")[0] for kind, triple in wanted if kind != "TRAP"}
    problems = [f"not expected: {triple}" for triple in found if triple.partition("<")[0] not in buggy]
    for kind, triple in wanted:
        if kind == "TRAP" and triple in found:
            problems.append(f"a trap was reported: {triple}")
        if kind in ("BUG", "OPEN") and triple not in found:
            problems.append(f"not found: {triple}")
        if kind == "BUG" and triple in found and verdicts.get(triple) != "confirmed":
            problems.append(f"{triple} is {verdicts.get(triple)}, not confirmed")
        if kind == "NEVER" and triple in found and verdicts.get(triple) != "refuted":
            problems.append(f"{triple} is {verdicts.get(triple)}, not refuted")
        if kind == "OPEN" and verdicts.get(triple, "not decided") != "not decided":
            problems.append(f"{triple} is {verdicts[triple]}, and cannot be run")
    return len(wanted), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    parser.add_argument("--only", metavar="TEXT", default="")
    arguments = parser.parse_args()
    passed = failed = 0
    for program in sorted(FOLDER.glob("*.c")):
        if arguments.only not in program.name:
            continue
        count, problems = check(str(pathlib.Path(arguments.heddle).resolve()), program)
        for problem in problems:
            print(f"{program.name}: {problem}")
        failed += len(problems)
        passed += max(0, count - len(problems))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
