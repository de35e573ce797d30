#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle replay` of real programs: what it says of schedules that do not fit, and what else it can do.

    tests/replay_cases.py --heddle build/release/heddle

Each case makes a folder with a program, explores it and changes something. The last line is `N passed, M failed`.
"""
import argparse
import ctypes
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import limits

SECONDS = limits.seconds(120)

RACY = """
#include <pthread.h>
#include <stdlib.h>
static int counter;
static void *work(void *step) { counter += *(int *)step; return 0; }
int main(int argc, char **argv) {
  int step = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t a, b;
  pthread_create(&a, 0, work, &step);
  pthread_create(&b, 0, work, &step);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter == 2 * step ? 0 : 1;
}
"""

# Where its threads go is written in a file.
READS_A_FILE = """
#include <pthread.h>
#include <stdio.h>
static int counter, other;
static void *work(void *what) {
  if (*(int *)what == 'y') other = 1;
  counter = 2;
  return 0;
}
int main(void) {
  FILE *f = fopen("choice", "r");
  int c = f ? getc(f) : 0;
  pthread_t a, b;
  pthread_create(&a, 0, work, &c);
  pthread_create(&b, 0, work, &c);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""

NESTED = """
#include <pthread.h>
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *leaf(void *unused) { counter++; return unused; }
static void *branch(void *unused) {
  pthread_t child;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_create(&child, 0, leaf, 0);
  pthread_join(child, 0);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, branch, 0);
  pthread_create(&b, 0, branch, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""


class Place:
    """A folder with a program and heddle in it."""

    def __init__(self, heddle, folder):
        self.heddle, self.folder = heddle, pathlib.Path(folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run(self, *words, stdin="", prepare=None):
        """(exit code, standard output, standard error)"""
        done = subprocess.run([str(word) for word in words], cwd=self.folder, capture_output=True, text=True,
                              errors="replace", timeout=SECONDS, check=False, input=stdin, preexec_fn=prepare)
        return done.returncode, done.stdout, done.stderr

    def explore(self, text, *words):
        self.write("a.c", text)
        code, out, errors = self.run(self.heddle, "explore", "a.c", "--schedule", "s", *words)
        assert code == 1, f"explore: exit code {code}: {out[-300:]}{errors[-300:]}"
        return (self.folder / "s").read_text()

    def replay(self, *words, **how):
        return self.run(self.heddle, "replay", "s", *words, **how)

    def is_refused(self, message, *words):
        code, out, errors = self.replay(*words)
        assert code == 2 and not out, f"exit code {code}: {out[-300:]}{errors[-300:]}"
        assert message in errors, f"says {errors}"


def schedule_of_somebody_else(place):
    text = place.explore(RACY)
    place.write("s", text.replace("threads ", "argument 3\nthreads "))
    place.is_refused("this runs the program, and the schedule is not one that you have made")
    assert place.replay("--trust")[0] == 1
    place.write("s", "".join(line + "\n" for line in text.splitlines() if not line.startswith("seal ")))
    place.is_refused("this runs the program")


def shows_both_accesses(place):
    place.explore(RACY)
    code, out, errors = place.replay()
    assert code == 1, errors
    for text in ("data race on 'counter', which holds 0x00000000", "a.c:5:", "in work, thread 1", "in work, thread 2",
                 "  locks held: none", "  in work at a.c:5:"):
        assert text in out, f"no '{text}' in {out}"
    assert "heddle-runtime" not in out, out


def has_few_switches(place):
    text = place.explore(NESTED)
    runs = [line for line in text.splitlines() if line.startswith("run ")]
    assert len(runs) <= 5, text
    code, out, errors = place.replay("--exec")
    assert code == 1 and "both came to these accesses" in out, out + errors


def arguments_and_input_are_kept(place):
    place.write("in put", "text")
    text = place.explore(RACY, "--stdin", "in put", "--", "17")
    assert "argument 17\n" in text and "input in put\n" in text, text
    code, out, errors = place.replay("--times", "3")
    assert code == 1, errors
    (place.folder / "in put").unlink()
    place.is_refused("'in put', which the schedule 's' belongs to, does not exist")
    assert "counter" in out


def another_program(place):
    place.explore(RACY)
    place.write("a.c", RACY.replace("counter += ", "counter -= "))
    place.is_refused("belongs to another program (or another version of this one")
    (place.folder / "a.c").unlink()
    place.is_refused("'a.c', which the schedule 's' belongs to, does not exist")


def interpreted_schedule(place):
    place.write("a.c", RACY)
    code, out, errors = place.run(place.heddle, "verify", "a.c", "--schedule", "s")
    assert code == 1, out + errors
    assert place.replay()[0] == 1
    for word in ("--exec", "--tsan", "--gdb"):
        place.is_refused("need a schedule of 'heddle explore'", word)


def cut_file(place):
    text = place.explore(RACY)
    for length in (0, 10, len(text) // 2, len(text) - 30):
        place.write("s", text[:length])
        place.is_refused("s:")


def changed_schedule(place):
    text = place.explore(RACY)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("run 1 "))
    thread, steps = lines[at].split()[1:3]
    place.write("s", text.replace(lines[at], f"run {thread} {steps} 77"))
    place.is_refused("the program went another way than when the schedule was made: thread 1 did something else")
    place.write("s", text.replace(lines[at], f"run 9 {steps}"))
    place.is_refused("thread 9 cannot go on there")
    place.write("s", text.replace("race 1 2", "race 0 1"))
    place.is_refused("the schedule ran to its end, and its two threads do not race there")
    place.write("s", text.replace("race 1 2", "deadlock #"))
    place.is_refused("ends in 'race' or 'unordered'")


def changed_data(place):
    place.write("choice", "n")
    place.explore(READS_A_FILE)
    assert place.replay("--exec")[0] == 1
    place.write("choice", "y")
    place.is_refused("the program went another way")


def addresses_that_vary(place):
    """personality is refused, as in some containers."""
    place.explore(NESTED)
    code, out, errors = place.replay("--exec", "--times", "5", prepare=refuse_personality)
    assert code == 1 and "data race on 'counter'" in out, out + errors
    assert "address randomisation cannot be switched off here" in errors, errors


def refuse_personality():
    """A filter of system calls: personality fails with EPERM."""
    libc = ctypes.CDLL(None, use_errno=True)
    number = {"x86_64": 135, "aarch64": 92}[subprocess.os.uname().machine]
    program = b"".join(struct.pack("HBBI", *row) for row in (
        (0x20, 0, 0, 0),                 # the number of the call
        (0x15, 0, 1, number),
        (0x06, 0, 0, 0x00050000 | 1),    # EPERM
        (0x06, 0, 0, 0x7FFF0000)))       # allowed
    buffer = ctypes.create_string_buffer(program, len(program))
    filter_of = struct.pack("HxxxxxxQ", 4, ctypes.addressof(buffer))
    libc.prctl(38, 1, 0, 0, 0)           # PR_SET_NO_NEW_PRIVS
    if libc.prctl(22, 2, ctypes.create_string_buffer(filter_of, len(filter_of)), 0, 0) != 0:  # PR_SET_SECCOMP
        raise OSError(ctypes.get_errno(), "no filter of system calls")


def thread_sanitizer(place):
    place.explore(RACY)
    code, out, errors = place.replay("--tsan")
    assert code == 1 and "WARNING: ThreadSanitizer: data race" in out, out + errors
    assert "Location is global 'counter'" in out and "heddle-runtime" not in out, out


def debugger(place):
    if not shutil.which("gdb"):
        print("  (gdb is not here)")
        return
    place.explore(RACY)
    code, out, errors = place.replay("--gdb", stdin="info threads\nprint counter\nkill\nquit\n")
    assert code == 1, errors
    stopped = [line for line in out.split("(gdb)")[1].splitlines() if " Thread 0x" in line]
    assert len(stopped) == 3 and "$1 = 0" in out, out + errors
    stacks = out.split("Deleted breakpoint")[1].split("[Switching")[0]
    assert stacks.count("heddle_racing_pair ()") == 2 and stacks.count(" in work (") == 2, out


def no_debugger(place):
    place.explore(RACY)
    code, _, errors = place.run("env", f"PATH={place.folder}", place.heddle, "replay", "s", "--keep", "k", "--gdb")
    assert code == 2, errors
    assert "gdb is not here; install it" in errors or "no compiler to link with" in errors, errors


def captured_project(place):
    place.write("a.c", RACY)
    place.write("Makefile", "prog: a.o\n\tcc -pthread -o prog a.o\na.o: a.c\n\tcc -g -c a.c\n")
    code, _, errors = place.run(place.heddle, "capture", "--", "make")
    assert code == 0, errors
    code, out, errors = place.run(place.heddle, "explore", "--schedule", "s")
    assert code == 1, out + errors
    code, out, errors = place.replay("--exec", "--tsan")
    assert code == 1 and "data race on 'counter'" in out and "ThreadSanitizer" in out, out + errors
    shutil.rmtree(place.folder / ".heddle")
    place.is_refused("which the schedule 's' belongs to, does not exist")


CASES = [schedule_of_somebody_else, shows_both_accesses, has_few_switches, arguments_and_input_are_kept,
         another_program, interpreted_schedule, cut_file, changed_schedule, changed_data, addresses_that_vary,
         thread_sanitizer, debugger, no_debugger, captured_project]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    parser.add_argument("--only", metavar="TEXT", default="")
    arguments = parser.parse_args()
    heddle = pathlib.Path(arguments.heddle).resolve()
    passed = failed = 0
    for case in CASES:
        if arguments.only not in case.__name__:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(Place(heddle, folder))
                passed += 1
            except (AssertionError, OSError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"FAIL {case.__name__}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
