#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle depend` on the firmware programs of tests/depend.

    tests/depend_programs.py --heddle build/release/heddle [--only TEXT]

A program has functions `task` and `isr1`, `isr2`, `isr3`: a task of priority 1, interrupts of that number and of
priority 2, 3, 4; `off(n)` masks interrupt n, `on(n)` lets it in, -1 are all. More lines of heddle.toml stand behind
`// toml: `. Lines are named by a comment `// @name` at their end:

    // BUG: x R@a W@b R@c       this triple must be found, and confirmed where it is run
    // TRAP: x R@a W@b R@c      this one must not

Every triple that is found must be a BUG of the program, or of the same variable as one. The last line is
`N passed, M failed`; N and M count BUG and TRAP lines.
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
    """([(is a bug, triple as heddle prints it)])"""
    lines = {}
    for number, line in enumerate(text.splitlines(), 1):
        for name in re.findall(r"// @(\w+)", line):
            lines[name] = number
    out = []
    for kind, variable, *places in re.findall(r"^// (BUG|TRAP): (\S+) (\S+) (\S+) (\S+)$", text, re.M):
        parts = [f"<{place[0]}#{lines[place[2:]]}>" for place in places]
        out.append((kind == "BUG", variable + ",".join(parts)))
    return out


def check(heddle, program):
    """(passed, problems)"""
    text = program.read_text()
    toml = entries_of(text) + "".join(line + "\n" for line in re.findall(r"^// toml: (.*)$", text, re.M))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / program.name
        source.write_text(text)
        (pathlib.Path(folder) / "heddle.toml").write_text(toml)
        done = subprocess.run([heddle, "depend", str(source), "--format=triples"], capture_output=True, text=True,
                              timeout=SECONDS, check=False)
    found = done.stdout.split()
    wanted = expected(text)
    problems = []
    if not wanted:
        problems.append("it has no BUG and no TRAP line")
    if done.returncode not in (0, 1):
        problems.append(f"exit code {done.returncode}: {done.stderr.strip()}")
    problems += [f"not found: {triple}" for is_bug, triple in wanted if is_bug and triple not in found]
    buggy = {triple.partition("<")[0] for is_bug, triple in wanted if is_bug}
    problems += [f"not expected: {triple}" for triple in found if triple.partition("<")[0] not in buggy]
    problems += [f"a trap was reported: {triple}" for is_bug, triple in wanted if not is_bug and triple in found]
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
