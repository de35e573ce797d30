# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Those who answer whether a program has a race.

Every oracle has a name and `ask(prog, folder)`, which gives an Answer. `Exact` enumerates in Python, `Tsan` runs the
compiled program, `Batch` is `heddle verify` and the searches of `heddle enumerate` in one process for many programs,
`Heddle` is one process a program, as a user starts it.
"""

import json
import os
import pathlib
import re
import select
import subprocess
import sys
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import limits
from lang import Prog
from machine import decide
from searches import GRAINS, MODES

STUBS = """// stand-ins for what the verifier provides, for native runs
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
static unsigned base;
static _Thread_local unsigned state;
static unsigned next_random(void) {
  if (!state) state = base + (unsigned)(unsigned long)pthread_self() / 4096u + 1;
  state = state * 1103515245u + 12345u;
  return state >> 16;
}
__attribute__((constructor)) static void begin(void) {
  const char *s = getenv("RANDOM_SEED");
  base = s ? (unsigned)atoi(s) * 2654435761u : 1;
  alarm(2);
}
int __VERIFIER_nondet_int(void) { return (int)(next_random() & 1); }
_Bool __VERIFIER_nondet_bool(void) { return next_random() & 1; }
void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
void pause_randomly(void) {
  unsigned r = next_random() % 8;
  if (r == 0) usleep(next_random() % 300);
  else if (r < 4) sched_yield();
}
"""


@dataclass
class Answer:
    verdict: str  # 'racy', 'race-free', 'unknown', or a reason why there is none
    pairs: set = field(default_factory=set)  # (smaller line, larger line)
    refuted: set = field(default_factory=set)  # pairs of lines that a judge refuted by the orders of locks
    complete: bool = True  # the pairs are meant to be all there can be
    trouble: str = ""  # a bug of the oracle itself: crash, time-out, two different outputs
    detail: str = ""
    searches: dict = field(default_factory=dict)  # "GRAIN MODE" -> what heddle enumerate saw


class Oracle:
    name = "?"

    def ask(self, prog, folder):
        raise NotImplementedError


class Exact(Oracle):
    name = "exact"

    def __init__(self, max_states=6000):
        self.max_states = max_states

    def ask(self, prog, folder):
        if not isinstance(prog, Prog):
            return Answer("not asked")
        prog.text()  # gives the statements their lines
        verdict, races, states = decide(prog, self.max_states)
        return Answer(verdict, {tuple(sorted(r[1:])) for r in races}, detail=f"{states} states")


class Heddle(Oracle):
    name = "heddle"
    WORDS = {"race": "racy", "race-free": "race-free", "unknown": "unknown"}
    CODES = {"race-free": 0, "racy": 1, "unknown": 3}

    def __init__(self, binary, limit=20, twice=False):
        self.binary, self.limit, self.twice = binary, limits.seconds(limit), twice

    def run(self, path):
        return subprocess.run([self.binary, "verify", "--format", "json", "--search-budget", "300000", path],
                              capture_output=True, text=True,
                              timeout=self.limit)

    def ask(self, prog, folder):
        path = os.path.join(folder, "p.c")
        with open(path, "w", encoding="utf-8") as f:
            f.write(prog.text())
        try:
            r = self.run(path)
            if self.twice and self.run(path).stdout != r.stdout:
                return Answer("none", trouble="two runs differ")
        except subprocess.TimeoutExpired:
            return Answer("none", trouble=f"no answer in {self.limit} s")
        return self.read(r)

    def read(self, r):
        lines = r.stderr.rstrip().splitlines()  # standard output is the report alone
        m = re.fullmatch(r"verdict: ([a-z-]+)", lines[-1]) if lines else None
        if not m or m[1] not in self.WORDS:
            return Answer("none", trouble=f"no verdict, exit code {r.returncode}", detail=r.stderr[-600:])
        verdict = self.WORDS[m[1]]
        if r.returncode != self.CODES[verdict]:
            return Answer(verdict, trouble=f"verdict {m[1]} with exit code {r.returncode}")
        if "internal error" in (r.stdout + r.stderr).lower():
            return Answer(verdict, trouble="internal error", detail=r.stderr[-600:])
        report = json.loads(r.stdout)
        return Answer(verdict, self.pairs(report), complete=not report.get("obstacles"))

    @staticmethod
    def pairs(report):
        """Line pairs that heddle does not refute; a call site counts like the access behind it."""
        found = set()
        for race in report["races"]:
            if race["verdict"] != "refuted":
                sides = [{a["line"]} | {s["line"] for s in a.get("stack", [])} for a in race["accesses"]]
                found |= {tuple(sorted((i, j))) for i in sides[0] for j in sides[-1]}
        return found


class Batch(Oracle):
    """Asks a process that answers program after program; it is started again when it died and now and then."""
    name = "batch"

    def __init__(self, binary, budget, static=True, limit=30, modes=MODES, without=(),
                 data_model=""):
        self.command = [binary, "enumerate", "--batch", "--verify", "--mode", ",".join(modes), "--grain",
                        ",".join(GRAINS),
                        "--budget", str(budget)] + ([] if static else ["--no-static"])
        self.command += [word for name in without for word in ("--without", name)]
        self.command += ["--data-model", data_model] if data_model else []
        self.limit, self.process, self.asked = limit, None, 0

    def __del__(self):
        self.stop()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def start(self):
        if self.asked % 500 == 0:
            self.stop()
        self.asked += 1
        if not self.process:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)

    def ask(self, prog, folder):
        path = os.path.join(folder, "p" + getattr(prog, "suffix", ".c"))
        with open(path, "w", encoding="utf-8") as f:
            f.write(prog.text())
        return self.ask_file(path)

    def ask_file(self, path):
        self.start()
        self.process.stdin.write(path + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], self.limit)[0]:
            self.stop()
            return Answer("none", trouble=f"no answer in {self.limit} s")
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            self.stop()
            return Answer("none", trouble=f"heddle enumerate died, exit code {code}")
        return self.read(json.loads(line))

    @staticmethod
    def read(answer):
        if "error" in answer:
            return Answer("none", trouble="error", detail=answer["error"])
        said = answer["verify"]
        pairs = {tuple(sorted((i, j))) for a, b in said["pairs"] for i in a for j in b}
        refuted = {tuple(sorted(pair)) for pair in said["refuted"] + answer["refuted_by_scan"]}
        return Answer(Heddle.WORDS[said["verdict"]], pairs, refuted=refuted, complete=not said["obstacles"],
                      searches=answer["searches"], detail=" ".join(said.get("confirmed", [])))


class Families(Oracle):
    """One process for each way in which programs of families are asked about; what a family knows is the other side."""
    name = "families"

    def __init__(self, binary):
        self.binary, self.batches = binary, {}

    def ask(self, prog, folder):
        key = (prog.static, prog.without, prog.data_model)
        if key not in self.batches:
            self.batches[key] = Batch(self.binary, 0, prog.static, modes=("none",), without=prog.without,
                                      data_model=prog.data_model)
        return self.batches[key].ask(prog, folder)

    @staticmethod
    def truth(prog):
        verdict, depends_on_inputs = prog.truth()
        return Answer(verdict, detail="by input" if depends_on_inputs and prog.lists_inputs else "")


class Tsan(Oracle):
    name = "tsan"

    def __init__(self, runs=20, compiler="clang-19"):
        self.runs, self.compiler = runs, compiler

    def ask(self, prog, folder):
        source, binary = os.path.join(folder, "n.c"), os.path.join(folder, "n")
        stubs = os.path.join(folder, "stubs.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(prog.text(native=True))
        with open(stubs, "w", encoding="utf-8") as f:
            f.write(STUBS)
        flags = ["-std=gnu11", "-g", "-O0", "-w", "-pthread", "-fsanitize=thread"]
        build = subprocess.run([self.compiler, *flags, source, stubs, "-o", binary], capture_output=True, text=True)
        if build.returncode:
            return Answer("none", trouble="does not compile", detail=build.stderr[-600:])
        return self.runs_of(binary)

    def runs_of(self, binary):
        for seed in range(self.runs):
            env = dict(os.environ, RANDOM_SEED=str(seed + 1), TSAN_OPTIONS="report_thread_leaks=0 report_mutex_bugs=0")
            try:
                r = subprocess.run([binary], capture_output=True, text=True, env=env, timeout=5, errors="replace")
            except subprocess.TimeoutExpired:
                continue
            if "ThreadSanitizer: data race" in r.stderr:
                at = re.findall(r"n\.c:(\d+)", r.stderr)[:2]
                return Answer("racy", detail=f"lines {at} of the native text with seed {seed + 1}")
            if r.returncode == -14 and seed >= 3:
                break  # hangs: a deadlock is possible, more runs would only cost time
        return Answer("not seen")
