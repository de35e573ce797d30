#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ATVA08's Table 1 on the interpreter: classic DPOR without and with property-driven pruning.

  bench/pruning.py [--heddle build/release/heddle] [--budget 400000] [FILE.c …]

Without files: programs in the manner of the paper's, small enough to be searched. Columns: threads, a race?, then for
both searches seconds, transitions and traces ("-": did not end within the budget), and of the pruning one checks of
subspaces, how many were free of races, points refused, points asked for by what threads may do.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

HEAD = """#include <pthread.h>
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
pthread_mutex_t f1 = PTHREAD_MUTEX_INITIALIZER, f2 = PTHREAD_MUTEX_INITIALIZER;
int x, y, z, done, total, next, d[16];
"""


def program(threads, body):
    """`body`: by thread, or one for all of them."""
    bodies = body if isinstance(body, list) else [body] * threads
    text = HEAD + "".join(f"void *t{i}(void *p) {{ {b} return 0; }}\n" for i, b in enumerate(bodies))
    create = "".join(f" pthread_create(&h[{i}], 0, t{i}, 0);" for i in range(threads))
    join = "".join(f" pthread_join(h[{i}], 0);" for i in range(threads))
    return text + f"int main(void) {{ pthread_t h[{threads}];{create}{join} return total; }}\n"


def running(rounds):
    """The running example; larger ones come back to their harmless critical sections several times."""
    first = "LOCK(f1); x++; UNLOCK(f1); LOCK(f2); y++; UNLOCK(f2); "
    harmless = f"for (int j = 0; j < {rounds}; j++) {{ LOCK(f1); z++; UNLOCK(f1); }} "
    second = "int c; LOCK(f1); z++; c = x; UNLOCK(f1); " + harmless + "LOCK(f1); if (c == 0) y++; UNLOCK(f1);"
    return program(2, [first + harmless, second])


PARTS = "int k; do { LOCK(f1); k = next++; UNLOCK(f1); if (k < 4) d[k] = k; } while (k < 4); LOCK(f1); done++; UNLOCK(f1);"
PROGRESS = "for (int j = 0; j < 3; j++) { LOCK(f1); total++; if (total == 100) done = 1; UNLOCK(f1); }"
TWO_LOCKS = "LOCK(f1); int k = next++; UNLOCK(f1); LOCK(f2); total += k; UNLOCK(f2); LOCK(f1); done++; UNLOCK(f1);"
PROGRAMS = {
    "running example": (2, running(1)),
    "running example x2": (2, running(2)),
    "running example x4": (2, running(4)),
    "parts of an array": (2, program(2, PARTS)),
    **{f"progress, {n}": (n, program(n, PROGRESS)) for n in (2, 3, 4, 5)},
    **{f"two locks, {n}": (n, program(n, TWO_LOCKS)) for n in (2, 3, 4, 5)},
}


def search(heddle, mode, budget, path):
    begin = time.monotonic()
    run = subprocess.run([heddle, "enumerate", "--mode", mode, "--grain", "sync", "--budget", str(budget), path],
                         capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["searches"]["sync " + mode], time.monotonic() - begin


def row(args, name, threads, path):
    plain, plain_time = search(args.heddle, "unpruned", args.budget, path)
    pruned, pruned_time = search(args.heddle, "pruned", args.budget, path)

    def cells(seen, seconds):
        return f"{seconds:6.2f} {seen['events']:8} {seen['executions'] if seen['complete'] else '-':>8}"
    print(f"{name:20} {threads:>4} {'yes' if pruned['race'] else 'no':4} {cells(plain, plain_time)} "
          f"{cells(pruned, pruned_time)} {pruned['checks']:6} {pruned['yes']:5} {pruned['skipped']:5} "
          f"{pruned['looks']:5}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--budget", type=int, default=400000)
    p.add_argument("files", nargs="*")
    args = p.parse_args()
    print(f"{'name':20} {'thrd':>4} {'race':4} {'s':>6} {'trans':>8} {'traces':>8} {'s':>6} {'trans':>8} {'traces':>8} "
          f"{'checks':>6} {'yes':>5} {'skip':>5} {'looks':>5}")
    for path in args.files:
        row(args, os.path.basename(path), "", path)
    with tempfile.TemporaryDirectory() as folder:
        for name, (threads, text) in {} if args.files else PROGRAMS.items():
            path = os.path.join(folder, "program.c")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            row(args, name, threads, path)


if __name__ == "__main__":
    main()
