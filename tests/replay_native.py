#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races that `heddle explore` finds in tests/programs, replayed on the real program.

    tests/replay_native.py --heddle build/release/heddle [--count 10000] [--only TEXT] [--every N]
                           [--exec N] [--tsan N]

--count replays in all, each in a process of its own, are shared among the programs with a race; each must reach the two
accesses and print the same. --exec and --tsan: each Nth of these programs is also run with threads of the system, and
with ThreadSanitizer, which must report the same two accesses. The last line is `N passed, M failed`, in replays.
"""
import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile

import limits
from run_programs import add_choice, chosen_programs

SECONDS = limits.seconds(60)

# ThreadSanitizer does not report these: why.
NOT_SEEN_BY_TSAN = {
    "cpp/joined_by_destructor_racy.cpp": "the end of a block is no access",
    "data/blocks_joined_racy.c": "the end of a block is no access",
    "data/strtok_racy.c": "what the library keeps for itself is no access",
    "locks/last_user_frees_racy.c": "what a lock does with its memory is no access",
    "locks/lock_remade_racy.c": "what a lock does with its memory is no access",
    "sync/once_reset_racy.c": "what a once flag does with its memory is no access",
    "sync/release_sequence_racy.c": "it keeps what was released before a relaxed store",
}
# ThreadSanitizer delivers signals later than they come, so the schedule leads elsewhere, which replay has to say.
OTHERWISE_UNDER_TSAN = {"threads/signal_handler_racy.c"}
SILENCE = "ThreadSanitizer does not report them"


def run(words, seconds=SECONDS):
    """(exit code, output), or what went wrong in place of the output."""
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace",
                              timeout=seconds, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {seconds} s"
    return done.returncode, done.stdout if done.returncode == 1 else done.stderr.strip()[-300:]


class Found:
    """A program with a race, and the schedule of it."""

    def __init__(self, heddle, program, folder):
        name = program.title.replace("/", "-")
        self.title, self.heddle = program.title, heddle
        self.schedule, self.kept = folder / f"{name}.schedule", folder / name
        flags = [f"--flag={flag}" for flag in program.flags]
        run([heddle, "explore", program.path, *flags, "--timeout", int(SECONDS) // 3, "--schedule", self.schedule])
        self.is_racy = self.schedule.exists()

    def replay(self, times, *words):
        return run([self.heddle, "replay", self.schedule, "--keep", self.kept, "--times", times, *words],
                   SECONDS + limits.seconds(times))


def check(found, times, with_exec, with_tsan):
    """(replays made, problems)"""
    made, problems = times, []
    code, text = found.replay(times)
    if code != 1 or "data race on" not in text:
        return made, [f"{times} replays: exit code {code}: {text}"] * times
    said = SILENCE if found.title in NOT_SEEN_BY_TSAN else "WARNING: ThreadSanitizer"
    for word, wanted, more in (("--exec", with_exec, "both came"), ("--tsan", with_tsan, said)):
        if not wanted:
            continue
        made += 1
        code, other = found.replay(1, word)
        if word == "--tsan" and found.title in OTHERWISE_UNDER_TSAN and code == 2 and "do not race there" in other:
            continue
        if code != 1 or not other.startswith(text) or more not in other:
            problems.append(f"{word}: exit code {code}: {other[-300:]}")
    return made, problems


def is_wanted(program):
    return "NOT-RUNNABLE" not in program.tags and "-fopenmp" not in program.flags and program.is_racy()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", metavar="BIN", required=True)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--exec", type=int, default=1, metavar="N", help="each Nth program; 0: none")
    parser.add_argument("--tsan", type=int, default=1, metavar="N", help="each Nth program; 0: none")
    add_choice(parser)
    arguments = parser.parse_args()
    if not shutil.which(arguments.heddle):
        parser.error(f"{arguments.heddle} is no executable file")
    programs = [program for program in chosen_programs(arguments) if is_wanted(program)]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        folder = pathlib.Path(name)
        found = [one for one in pool.map(lambda p: Found(arguments.heddle, p, folder), programs) if one.is_racy]
        if not found:
            print("no program gave a schedule\n0 passed, 1 failed")
            return 1

        def work(number):
            times = max(1, arguments.count // len(found) + (number < arguments.count % len(found)))
            chosen = [step > 0 and number % step == 0 for step in (arguments.exec, arguments.tsan)]
            return check(found[number], times, *chosen)

        for one, (made, problems) in zip(found, pool.map(work, range(len(found)))):
            passed, failed = passed + made - len(problems), failed + len(problems)
            for problem in sorted(set(problems)):
                print(f"FAIL {one.title}: {problem}", flush=True)
        print(f"{len(found)} schedules of {len(programs)} programs")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
