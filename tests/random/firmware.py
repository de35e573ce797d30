#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random firmware: every pair of accesses that an interruption brings together is reported by `heddle scan`.

    tests/random/firmware.py --heddle build/release/heddle [--count N] [--seed N] [--keep FOLDER]

Two tasks and three interrupts with masks by number, branches, loops and called functions, all decided by an input.
Their runs are enumerated here, by a machine of a few lines that knows nothing of heddle: a stack of entries and a set
of what is masked. Two accesses to one variable meet if one entry makes the second while another stands before the
first. The last line is `N passed, M failed`, programs; the one before says how many pairs were reported that do not
meet, which is no mistake.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import depend_programs  # noqa: E402
import limits  # noqa: E402

ENTRIES = ["task", "isr1", "isr2", "isr3", "urgent"]  # by priority
MASKED_BY = {"task": 0, "isr1": 1, "isr2": 2, "isr3": 3, "urgent": 0}  # tasks: by a mask of all
EVERY = frozenset([0, 1, 2, 3])
URGENT = '[[entry]]\nfunction = "urgent"\nkind = "task"\npriority = 5\n'
HELPERS = ["low", "high"]
SECONDS = limits.seconds(60)
MOST_STATES = 60000


class Code:
    """Functions as lists of steps; a step is (what, argument, next steps), its place is its line."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["void off(int);", "void on(int);", "extern volatile int input;", "int x0, x1, x2;"]
        self.steps = {}
        self.first = {}
        for name in HELPERS + ENTRIES:
            self.function(name)

    def function(self, name):
        static = "static " if name in HELPERS else ""
        self.lines.append(f"{static}void {name}(void) {{")
        body = self.block(name, 3 if name in HELPERS else 5, 0)
        self.lines.append("}")
        self.first[name] = self.chain(body, None)

    def block(self, name, most, depth):
        """[(line, what, argument)], nested for branches and loops."""
        out = []
        for _ in range(self.random.randint(1, most)):
            line = len(self.lines) + 1
            kind = self.random.random()
            if kind < 0.45:
                variable = self.random.randint(0, 2)
                self.lines.append(f"  x{variable}++;")
                out.append((line, "access", variable))
            elif kind < 0.75 or depth == 2:
                what = self.random.choice(["off", "off", "on"] if name == "task" else ["off", "on", "on"])
                number = self.random.choice([-1, 1, 2, 3])
                self.lines.append(f"  {what}({number});")
                out.append((line, what, number))
            elif kind < 0.85 and name != "low":
                called = self.random.choice(HELPERS if name in ENTRIES else HELPERS[:1])
                self.lines.append(f"  {called}();")
                out.append((line, "call", called))
            else:
                word = self.random.choice(["if", "while"])
                self.lines.append(f"  {word} (input) {{")
                inner = self.block(name, 3, depth + 1)
                self.lines.append("  }")
                out.append((line, word, inner))
        return out

    def chain(self, block, end):
        """Links the steps; the line of the first."""
        following = end
        for line, what, argument in reversed(block):
            if what == "while":
                self.steps[line] = (what, None, [self.chain(argument, line), following])
            elif what == "if":
                self.steps[line] = (what, None, [self.chain(argument, following), following])
            else:
                self.steps[line] = (what, argument, [following])
            following = line
        return following

    def text(self):
        return "\n".join(self.lines) + "\n"


def moved(stack, line):
    """The same stack with its last function at another line; those that end go."""
    entry, frames = stack[-1]
    frames = frames[:-1] + (line,)
    while frames and frames[-1] is None:
        frames = frames[:-1]
    return stack[:-1] + ((entry, frames),) if frames else stack[:-1]


def steps_from(code, stack, masked):
    """(stack, masked) behind one step of who runs."""
    what, argument, following = code.steps[stack[-1][1][-1]]
    if what == "call":
        entry, frames = stack[-1]
        called = stack[:-1] + ((entry, frames[:-1] + (following[0], code.first[argument])),)
        yield called, masked
        return
    if what == "off":
        masked = EVERY if argument == -1 else masked | {argument}
    if what == "on":
        masked = frozenset() if argument == -1 else masked - {argument}
    for line in following:
        yield moved(stack, line), masked


def meetings(code):
    """The pairs of lines that meet; None if there are too many states."""
    todo = [((), frozenset())]
    seen, pairs = set(todo), set()
    while todo:
        stack, masked = todo.pop()
        top = ENTRIES.index(stack[-1][0]) if stack else -1
        nexts = [(stack + ((name, (code.first[name],)),), masked) for rank, name in enumerate(ENTRIES)
                 if rank > top and (not stack or MASKED_BY[name] not in masked)]
        if stack:
            here = stack[-1][1][-1]
            what, variable, _ = code.steps[here]
            for _, frames in stack[:-1]:
                if what == "access" and code.steps[frames[-1]][:2] == ("access", variable):
                    pairs.add((min(here, frames[-1]), max(here, frames[-1])))
            nexts += steps_from(code, stack, masked)
        for state in nexts:
            if state not in seen:
                seen.add(state)
                todo.append(state)
        if len(seen) > MOST_STATES:
            return None
    return pairs


def reported(heddle, folder, text):
    source = folder / "unit.c"
    source.write_text(text)
    (folder / "heddle.toml").write_text(depend_programs.entries_of(text) + URGENT)
    done = subprocess.run([heddle, "scan", str(source), "--format", "json"], capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    if done.returncode not in (0, 1):
        return None, done.stderr
    pairs = set()
    for race in json.loads(done.stdout)["races"]:
        lines = sorted(access["line"] for access in race["accesses"])
        pairs.add((lines[0], lines[-1]))
    return pairs, ""


def is_counted(heddle, folder, pair):
    """Not listed, since a report has so many pairs of a variable and no more; but nothing separates it."""
    done = subprocess.run([heddle, "explain", f"unit.c:{pair[0]}", str(folder / "unit.c"), "--format", "json"],
                          capture_output=True, text=True, timeout=SECONDS, check=True)
    return any("separated" not in one and sorted(a["line"] for a in one["accesses"]) == list(pair)
               for one in json.loads(done.stdout)["pairs"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", help="programs that fail go there")
    options = parser.parse_args()
    heddle = str(pathlib.Path(options.heddle).resolve())
    passed = failed = met = beyond = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            code = Code(seed)
            wanted = meetings(code)
            if wanted is None:
                continue
            found, problem = reported(heddle, pathlib.Path(folder), code.text())
            missing = [pair for pair in sorted(wanted - (wanted if found is None else found))
                       if not is_counted(heddle, pathlib.Path(folder), pair)]
            if found is None or missing:
                print(f"seed {seed}: {problem or f'not reported: lines {missing}'}")
                failed += 1
                if options.keep:
                    pathlib.Path(options.keep, f"firmware_{seed}.c").write_text(code.text())
                continue
            passed += 1
            met += len(wanted)
            beyond += len(found - wanted)
    print(f"{met} pairs meet; {beyond} more were reported")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not met else 0


if __name__ == "__main__":
    sys.exit(main())
