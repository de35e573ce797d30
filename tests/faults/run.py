#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the machine under heddle: the N-th read, write, open, sync, rename, stat, mmap, fork, thread or piece of
memory fails (inject.c), once or from then on, in every command. Every such run has to end, with a message that is true,
and the run after it, on a machine that is well again, with the report that it always gives.

  run.py --heddle build/release/heddle [--count 40] [--seed 1] [--only TEXT]

Ends with `N passed, M failed`.
"""
import argparse
import errno
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCES = {
    "main.c": "#include <pthread.h>\n#include \"count.h\"\nstatic void *run(void *p) { bump(); return p; }\n"
              "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); bump(); pthread_join(t, 0); return 0; }\n",
    "count.c": "#include <stdlib.h>\n#include \"count.h\"\nint count;\nvoid bump(void) { count++; free(malloc(8)); }\n",
    "count.h": "extern int count;\nvoid bump(void);\n",
    "build.sh": "cc -c main.c -o main.o && cc -c count.c -o count.o && cc main.o count.o -o prog -pthread\n",
    "compile_commands.json": '[{"directory": "FOLDER", "file": "main.c", "arguments": ["cc", "-c", "main.c"]},\n'
                             ' {"directory": "FOLDER", "file": "count.c", "arguments": ["cc", "-c", "count.c"]}]\n',
}
# What is run, whether the project was captured before, and what the next, undisturbed run must say.
COMMANDS = {
    "capture": (["capture", "-p", "."], False),
    "capture build": (["capture", "--", "sh", "build.sh"], False),
    "scan": (["scan", "--format", "json"], True),
    "scan again": (["scan", "--format", "json"], "scanned"),
    "verify": (["verify", "--format", "json"], True),
    "verify file": (["verify", "--format", "json", "main.c", "count.c"], True),
    "check": (["check", "--format", "json"], True),
    "explain": (["explain", "count"], "scanned"),
    "doctor": (["doctor"], True),
}
KINDS = {
    "read": [errno.EIO], "write": [errno.ENOSPC, errno.EIO, errno.EFBIG], "open": [errno.EMFILE, errno.EIO],
    "sync": [errno.EIO], "rename": [errno.EIO, errno.ENOSPC], "stat": [errno.EIO], "mmap": [errno.ENOMEM],
    "fork": [errno.EAGAIN, errno.ENOMEM], "thread": [errno.EAGAIN], "malloc": [errno.ENOMEM],
}
NEVER = ["bug in heddle", "LLVM ERROR", "terminate called", "nests too deeply", "Segmentation fault"]


class Machine:
    """The same folder for every run: names of folders are part of what is kept."""

    def __init__(self, heddle, room):
        self.heddle, self.room = heddle, pathlib.Path(room)
        self.folder, self.counter = self.room / "project", self.room / "count"
        self.library = self.room / "inject.so"
        source = pathlib.Path(__file__).parent / "inject.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
        self.states, self.scans = {}, {}
        self.make_states()

    def make_states(self):
        self.folder.mkdir()
        for name, text in SOURCES.items():
            (self.folder / name).write_text(text.replace("FOLDER", str(self.folder)))
        self.keep(False)
        self.must(["capture", "-p", "."], 0)
        self.keep(True)
        self.must(["scan"], 1)
        self.keep("scanned")

    def keep(self, state):
        self.states[state] = self.room / f"state {state}"
        shutil.copytree(self.folder, self.states[state], symlinks=True)

    def restore(self, state):
        shutil.rmtree(self.folder)
        shutil.copytree(self.states[state], self.folder, symlinks=True)

    def run(self, arguments, environment=()):
        return subprocess.run([self.heddle, *arguments], cwd=self.folder, capture_output=True, timeout=60, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(self.room), **dict(environment)})

    def scan_after(self, name):
        """What a scan says behind that command, if nothing is in the way of either."""
        if name not in self.scans:
            kept, aside = self.folder, self.room / "aside"
            kept.rename(aside)
            shutil.copytree(self.states[COMMANDS[name][1]], self.folder, symlinks=True)
            self.run(COMMANDS[name][0])
            self.scans[name] = self.run(["scan", "--format", "json"]).stdout
            shutil.rmtree(self.folder)
            aside.rename(kept)
        return self.scans[name]

    def must(self, arguments, code):
        done = self.run(arguments)
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def broken(self, arguments, kind, number, failure, is_sticky):
        """The run, and how many calls of that kind there were and failed."""
        self.counter.write_bytes(bytes(16))
        done = self.run(arguments, {
            "FAULT_KIND": kind, "FAULT_NUMBER": str(number), "FAULT_ERRNO": str(failure),
            "FAULT_STICKY": str(int(is_sticky)), "FAULT_COUNT": str(self.counter), "LD_PRELOAD": str(self.library)})
        return done, *struct.unpack("qq", self.counter.read_bytes())


def plain(text):
    """Times and sizes are not compared."""
    return re.sub(rb"\d+(\.\d+)? (s|MB|GB)\b", b"N", text)


def tells(name, said):
    """The report, or a note, says that something was in the way."""
    return any(words in said for words in ["heddle: note: ", "out of memory", "gaps-in-the-capture", '"may_hide": true']) or (
        name == "doctor" and "missing" in said)


def problems(name, done, usual):
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode < 0 or done.returncode > 3:
        yield f"exit code {done.returncode}"
    for words in NEVER:
        if words in said:
            yield f"says '{words}'"
    if done.returncode == usual.returncode:
        if not name.startswith("capture") and plain(done.stdout) != plain(usual.stdout) and not tells(name, said):
            yield "another report with the usual exit code"
    elif not tells(name, said) and "error:" not in said:
        yield "ends in silence"
    elif done.returncode in (0, 1) and not name.startswith("capture") and name != "doctor":
        yield f"exit code {done.returncode}, not {usual.returncode}"
    if b"race-free" in done.stdout + done.stderr:
        yield "a proof"


def problems_afterwards(machine, name, arguments, usual):
    again = machine.run(arguments)
    if again.returncode != usual.returncode:
        yield f"afterwards: exit code {again.returncode}"
    if not name.startswith("capture") and plain(again.stdout) != plain(usual.stdout):
        yield "afterwards: another report"
    scanned = machine.run(["scan", "--format", "json"])
    if scanned.stdout != machine.scan_after(name):
        yield "afterwards: another scan"


def run_fault(machine, name, kind, number, failure, is_sticky, usual):
    arguments, state = COMMANDS[name]
    machine.restore(state)
    try:
        done, _, failed = machine.broken(arguments, kind, number, failure, is_sticky)
    except subprocess.TimeoutExpired:
        return ["does not end"], b""
    found = list(problems(name, done, usual)) if failed else []
    found += problems_afterwards(machine, name, arguments, usual)
    return found, done.stdout[-300:] + done.stderr[-1500:]


def all_faults(machine, only):
    """Of each command and kind: how many calls there are, and what the command says on a machine that is well."""
    out = []
    for name, (arguments, state) in COMMANDS.items():
        for kind in KINDS:
            if only not in f"{name}/{kind}":
                continue
            machine.restore(state)
            usual, calls, _ = machine.broken(arguments, kind, 0, 0, False)
            if calls > 0:
                out.append((name, kind, calls, usual))
    if not out:
        sys.exit("no call was seen that could fail: is what is built beside heddle there, such as libheddle_intercept.so?")
    return out


def choose(faults, count, seed):
    """So many of them, every command and kind in turn."""
    dice = random.Random(seed)
    order = list(range(len(faults)))
    for i in range(count):
        if i % len(order) == 0:
            dice.shuffle(order)
        name, kind, calls, usual = faults[order[i % len(order)]]
        yield name, kind, dice.randint(1, calls), dice.choice(KINDS[kind]), dice.random() < 0.4, usual


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/release/heddle")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only COMMAND/KIND with this text, such as scan/malloc")
    parser.add_argument("--fault", help="one fault again: COMMAND/KIND/NUMBER/ERRNO/once or from")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as room:
        machine = Machine(str(pathlib.Path(arguments.heddle).resolve()), room)
        if arguments.fault:
            name, kind, number, failure, how = arguments.fault.rsplit("/", 4)
            usual = all_faults(machine, f"{name}/{kind}")[0][3]
            chosen = [(name, kind, int(number), int(failure), how == "from", usual)]
        else:
            chosen = choose(all_faults(machine, arguments.only), arguments.count, arguments.seed)
        for name, kind, number, failure, is_sticky, usual in chosen:
            found, said = run_fault(machine, name, kind, number, failure, is_sticky, usual)
            passed, failed = passed + (not found), failed + bool(found)
            if found or arguments.fault:
                how = "from" if is_sticky else "once"
                print(f"{'FAILED' if found else 'fine'}: {name}/{kind}/{number}/{failure}/{how}: {'; '.join(found)}",
                      flush=True)
                print("\n".join("    " + line[:300] for line in said.decode(errors="replace").splitlines()[-8:]))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
