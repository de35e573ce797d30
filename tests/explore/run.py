#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle explore` on programs that ought to break it: what they do to the system, to themselves, and how they end.

    tests/explore/run.py --heddle build/release/heddle [--only TEXT] [--jobs N]

Each program says in its first lines what has to come out:

    // EXPECT: race                        or race-free
    // EXPECT: unknown: a stack overflow   with these words in the report
    // OPTIONS: --steps=5                  of heddle explore
    // STDIN: hello                        its standard input
    // SECONDS: 40                         the time limit, if it needs long

So do programs of tests/never_proved that `explore` has been wrong about. Each runs in a folder of its own. A program
that is not answered within its time limit and five seconds fails, whatever it does. The last line is `N passed, M
failed`.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import limits

SECONDS = 25
GRACE = 5


def tags_of(program):
    """What the comments in front say, by name."""
    tags = {}
    for line in program.read_text().splitlines():
        if not line.startswith("// "):
            break
        name, separator, value = line.removeprefix("// ").partition(": ")
        if separator and name.isupper():
            tags[name] = value
    return tags


def answer_of(heddle, program, tags, folder):
    """Verdict and report, or what went wrong."""
    seconds = int(tags.get("SECONDS", SECONDS))
    line = [heddle, "explore", str(program), "--timeout", str(seconds), *tags.get("OPTIONS", "").split()]
    if "STDIN" in tags:
        (folder / "stdin").write_text(tags["STDIN"] + "\n")
        line += ["--stdin", str(folder / "stdin")]
    try:
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
                              timeout=limits.seconds(seconds + GRACE))
    except subprocess.TimeoutExpired:
        return f"no answer within {seconds} + {GRACE} s", ""
    lines = done.stdout.strip().splitlines()
    if not lines or not lines[-1].startswith("verdict: "):
        return f"exit code {done.returncode}: {done.stderr.strip()[-200:]}", ""
    return lines[-1].removeprefix("verdict: "), " ".join(done.stdout.split())


def problem_with(heddle, program):
    tags = tags_of(program)
    if "EXPECT" not in tags:
        return "has no line EXPECT"
    expected, _, words = tags["EXPECT"].partition(": ")
    with tempfile.TemporaryDirectory() as folder:
        verdict, report = answer_of(heddle, program, tags, pathlib.Path(folder))
    if verdict != expected:
        return f"{verdict}, not {expected}: {report[-300:]}"
    return "" if words in report else f"the report does not say '{words}': {report[-300:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    parser.add_argument("--only", metavar="TEXT", default="", help="programs with this in their names")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    heddle = str(pathlib.Path(arguments.heddle).resolve())
    programs = [p for p in sorted([*HERE.glob("*.c"), *HERE.glob("*.cpp")]) if arguments.only in p.name]
    programs += [p for p in sorted((HERE.parent / "never_proved").glob("*.c"))
                 if arguments.only in p.name and "EXPECT" in tags_of(p)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for program, problem in zip(programs, pool.map(lambda p: problem_with(heddle, p), programs)):
            if problem:
                failed += 1
                print(f"FAIL {program.name}: {problem}", flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
