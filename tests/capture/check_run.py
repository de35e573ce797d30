#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle check --run`: suspected races are tried on the running program. Which program runs, with which arguments;
what is said of what it shows; programs that behave badly. Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run import Skipped, case_arguments, run_cases  # noqa: E402

CASES = []

# `total` has its lock and a reader behind the joins; `calls` has none.
WORK = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total, calls;
void *work(void *n) {
  for (int i = 0; i < *(int *)n; i++) {
    pthread_mutex_lock(&m);
    total++;
    pthread_mutex_unlock(&m);
  }
  calls++;
  return 0;
}
"""
MAIN = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern int total, calls; void *work(void *);
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  pthread_t a, b;
  pthread_create(&a, 0, work, &n);
  if (argc > 2) pthread_create(&b, 0, work, &n);
  pthread_join(a, 0);
  if (argc > 2) pthread_join(b, 0);
  printf("%s %d %d\\n", argv[0], total, calls);
  FILE *ran = fopen("ran", "w");
  if (ran) fprintf(ran, "%s\\n", argv[0]), fclose(ran);
}
"""
MAKEFILE = """all: prog tool
prog: src/main.o src/work.o
\t$(CC) -o $@ $^ -pthread
tool: src/tool.o
\t$(CC) -o $@ $^
"""
RACY = """#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int x; volatile int sink;
static void *f(void *p) { x++; %s return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0), pthread_create(&b, 0, f, 0), pthread_join(a, 0), pthread_join(b, 0);
  %s
}
"""


def case(function):
    CASES.append(function)
    return function


def project(p):
    if shutil.which("make") is None:
        raise Skipped("no make")
    p.write("src/work.c", WORK)
    p.write("src/main.c", MAIN)
    p.write("src/tool.c", "int main(void) { return 0; }\n")
    p.write("Makefile", MAKEFILE)
    assert p.call("capture", "--", "make") == 0, p.out + p.err


def check(p, *arguments):
    """The races of the report, by variable."""
    p.call("check", "--search-budget", "0", *arguments, "--format", "json", "-o", "report.json")
    assert p.run.returncode in (0, 1, 3), p.err
    p.report = json.loads((p.folder / "report.json").read_text())
    found = {}
    for race in p.report["races"]:
        found.setdefault(race["variable"], []).append(race)
    return found


def confirmed(races):
    return [race for race in races if race["verdict"] == "confirmed"]


@case
def the_program_of_the_command_runs_with_its_arguments(p):
    project(p)
    races = check(p, "--run", "./prog 2 both")
    assert confirmed(races["calls"]) and not confirmed(races["total"]), races
    for race in confirmed(races["calls"]):
        assert race["judge"] == "explore" and race["grade"] == "replay", race
        assert {access["function"] for access in race["accesses"]} == {"work"}, race
    assert p.report["coverage"]["project"]["program"] == "prog", p.report["coverage"]
    assert (p.folder / "ran").read_text() == "./prog\n", "it is called as the command says"


@case
def what_is_not_reached_stays_and_says_so(p):
    project(p)
    races = check(p, "--run", "./prog 2")
    both = [race for race in races["calls"] + races["total"] if race["verdict"] != "refuted"]  # by the judge `values`
    assert both and not confirmed(both), both
    assert all(race["verdict"] in ("likely", "unlikely") for race in both), both
    assert all(any("not reached by this run" in why for why in race["reasons"]) for race in both), both
    assert p.report["verdict"] == "unknown", "one input proves nothing"


@case
def confirmed_races_come_first(p):
    project(p)
    check(p, "--run", "./prog 2 both")
    verdicts = [race["verdict"] for race in p.report["races"]]
    assert verdicts[0] == "confirmed" and sorted(verdicts, key=lambda v: v != "confirmed") == verdicts, verdicts
    p.call("check", "--search-budget", "0", "--run", "./prog 2 both", "--format", "sarif")
    rules = json.loads(p.out)["runs"][0]["results"]
    assert "confirmed" in json.dumps(rules[0]), rules[0]
    p.call("check", "--search-budget", "0", "--run", "./prog 2 both")
    p.expect(1, None, ["confirmed calls", "a run of the program brought both threads there at once", "races confirmed"])


@case
def the_command_of_the_project_needs_a_word_of_the_user(p):
    project(p)
    p.write("heddle.toml", '[run]\ncommand = "./prog 2 both"\n')
    assert not confirmed(check(p).get("calls", []))
    assert not (p.folder / "ran").exists(), "nobody asked for it"
    assert confirmed(check(p, "--run")["calls"])
    assert "heddle.toml says: ./prog 2 both" in p.err, p.err


@case
def a_command_that_makes_no_sense(p):
    project(p)
    for arguments, says in ((["--run"], "no heddle.toml"), (["--run", "./other"], "linked no './other'; choose one of: prog, tool"),
                            (["--run", "./prog | cat"], "none is started"), (["--run", "./prog 'x"], "--run"),
                            (["--run", "./prog", "--run-seconds", "0"], "--run-seconds"),
                            (["--run", "./prog", "--stdin", "nowhere"], "nowhere")):
        p.call("check", *arguments)
        p.expect_error(says)
    p.write("heddle.toml", "[run]\n")
    p.call("check", "--run")
    p.expect_error("has no [run] command")
    assert not (p.folder / "ran").exists()


@case
def a_project_whose_links_are_not_known(p):
    p.write("main.c", "int main(void) { return 0; }\n")
    p.write("compile_commands.json",
            json.dumps([{"directory": str(p.folder), "command": "cc -c main.c", "file": "main.c"}]))
    assert p.call("capture") == 0
    p.call("check", "--run", "./main")
    p.expect_error("capture its build")


@case
def files_and_standard_input(p):
    p.write("a.c", RACY % ("char c; if (read(0, &c, 1) == 1 && c == 'y') sink++;", ""))
    p.write("yes", "yyyy")
    assert confirmed(check(p, "a.c", "--run", "./a", "--stdin", "yes")["sink"])
    races = check(p, "a.c", "--run", "./a")
    assert confirmed(races["x"]) and not confirmed(races["sink"]), races


@case
def a_schedule_is_kept(p):
    p.write("a.c", RACY % ("", ""))
    check(p, "a.c", "--run", "./a 1 2", "--schedule", "kept")
    text = (p.folder / "kept").read_text()
    assert text.startswith("heddle-schedule 1\n") and "\nnative\n" in text and "\nargument 2\n" in text, text
    assert text.splitlines()[-1].startswith("race "), text
    first, *others = [race["id"] for race in p.report["races"] if race["verdict"] == "confirmed"]
    kept = sorted(name for name in os.listdir(p.folder) if name.startswith("kept."))
    assert others and kept == sorted("kept." + name for name in others), (kept, first, others)
    for name in ["kept", *kept]:
        p.call("replay", name)
        assert p.run.returncode == 1 and "data race on 'x'" in p.out, (p.out, p.err)


BAD = {
    "crashes": ("*(volatile int *)8 = 1;", ""),
    "is killed": ("kill(getpid(), SIGKILL);", ""),
    "aborts": ("", "abort();"),
    "forks": ("", "if (fork() == 0) _exit(0);"),
    "exits": ("_exit(1);", ""),
    "overflows": ("", "char *volatile p = (char *)&a; for (;;) *p++ = 1;"),
}


def badly(name, bodies):
    def run(p):
        p.write("a.c", RACY % bodies)
        begin = time.monotonic()
        assert confirmed(check(p, "a.c", "--run", "./a", "--run-seconds", "30")["x"]), p.report
        assert time.monotonic() - begin < 60
        text = json.dumps(p.report["obstacles"])
        if name == "is killed":
            assert "took a process of heddle's with it" in text, text
        if name == "forks":
            assert "'fork', which cannot be run under control" in text, text
    run.__name__ = "a_program_that_" + name.replace(" ", "_")
    CASES.append(run)


for one, its_bodies in BAD.items():
    badly(one, its_bodies)


def start(p, *arguments):
    return subprocess.Popen([p.heddle, "check", "--search-budget", "0", *arguments], cwd=p.folder,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


FOREVER = RACY % ("for (;;) sink = 0;", "")


@case
def a_program_without_an_end_ends_with_the_time(p):
    p.write("a.c", FOREVER)
    begin = time.monotonic()
    assert confirmed(check(p, "a.c", "--run", "./a", "--run-seconds", "4")["x"]), p.report
    assert time.monotonic() - begin < 25
    assert check(p, "a.c", "--run", "./a", "--timeout", "4"), p.report
    assert time.monotonic() - begin < 50


@case
def an_interrupt_ends_it_with_what_is_known(p):
    p.write("a.c", FOREVER)
    process = start(p, "a.c", "--run", "./a", "--run-seconds", "100")
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    text = process.communicate(timeout=60)[0]
    assert time.monotonic() - begin < 10, "it went on"
    assert "it was interrupted" in text and "suspected race" in text, text


@case
def nothing_is_left_behind(p):
    p.write("a.c", RACY % ("", ""))
    room = p.folder / "tmp"
    room.mkdir()
    p.call("check", "a.c", "--run", "./a", env={"TMPDIR": str(room)})
    assert p.run.returncode == 1, p.err
    assert not os.listdir(room), os.listdir(room)
    assert sorted(os.listdir(p.folder)) == ["a.c", "tmp"], os.listdir(p.folder)


if __name__ == "__main__":
    sys.exit(run_cases(CASES, case_arguments(__doc__).parse_args(), False))
