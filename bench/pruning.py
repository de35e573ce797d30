#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ATVA08's Table 1: plain depth-first search, classic DPOR, and the same with property-driven pruning.

  bench/pruning.py [--heddle build/release/heddle] [--budget 400000] [--native] [--only TEXT] [FILE.c …]

Without files: programs in the manner of the paper's: its example and two larger ones, a threaded quicksort, a search in
files (pfscan; with a planted bug), a download in parts (aget), a compressor by blocks (bzip2smp), counters. Over the
interpreter, or (--native) over the running program.

Columns: lines, threads, shared variables, accesses to them and locks of one execution, a race?; for each search CPU
seconds (with reading, and for --native building, the program), transitions and traces up to its end or its first race
("-": neither within the budget of transitions); of pruning: checks of subspaces, how many were free of races, points
that were refused, points asked for by what threads may do.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
MODES = ("exhaustive", "unpruned", "pruned")
HEAD = """#include <pthread.h>
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
pthread_mutex_t f1 = PTHREAD_MUTEX_INITIALIZER, f2 = PTHREAD_MUTEX_INITIALIZER;
int x, y, z, done, total, next, d[16];
"""


def program(threads, body):
    """`body`: by thread, or one for all of them."""
    bodies = body if isinstance(body, list) else [body] * threads
    text = HEAD + "".join(f"void *t{i}(void *p) {{\n{b}\nreturn 0;\n}}\n" for i, b in enumerate(bodies))
    create = "".join(f" pthread_create(&h[{i}], 0, t{i}, 0);" for i in range(threads))
    join = "".join(f" pthread_join(h[{i}], 0);" for i in range(threads))
    return text + f"int main(void) {{ pthread_t h[{threads}];{create}{join} return total; }}\n"


def running(rounds):
    """The running example; larger ones come back to their harmless critical sections several times."""
    first = "LOCK(f1); x++; UNLOCK(f1);\nLOCK(f2); y++; UNLOCK(f2);\n"
    harmless = f"for (int j = 0; j < {rounds}; j++) {{ LOCK(f1); z++; UNLOCK(f1); }}\n"
    second = "int c; LOCK(f1); z++; c = x; UNLOCK(f1);\n" + harmless + "LOCK(f1); if (c == 0) y++; UNLOCK(f1);"
    return program(2, [first + harmless, second])


PARTS = """int k;
do { LOCK(f1); k = next++; UNLOCK(f1); if (k < 4) d[k] = k; } while (k < 4);
LOCK(f1); done++; UNLOCK(f1);"""
PROGRESS = "for (int j = 0; j < 3; j++) { LOCK(f1); total++; if (total == 100) done = 1; UNLOCK(f1); }"
TWO_LOCKS = "LOCK(f1); int k = next++; UNLOCK(f1);\nLOCK(f2); total += k; UNLOCK(f2);\nLOCK(f1); done++; UNLOCK(f1);"

# name, text or file, flags
ROWS = [
    ("running example", running(1), []),
    ("running example x2", running(2), []),
    ("running example x4", running(4), []),
    *((f"quicksort, {n}", "quicksort.c", [f"-DTHREADS={n}"]) for n in (2, 3)),
    ("scanner", "scanner.c", []),
    ("scanner, bug", "scanner.c", ["-DBUG"]),
    *((f"download, {n}", "download.c", [f"-DTHREADS={n}"]) for n in (3, 4, 5)),
    *((f"compress small, {n}", "compress.c", [f"-DTHREADS={n}"]) for n in (4, 5, 6)),
    *((f"compress large, {n}", "compress.c", [f"-DTHREADS={n}", "-DBLOCKS=6"]) for n in (4, 5, 6, 10)),
    ("parts of an array", program(2, PARTS), []),
    *((f"progress, {n}", program(n, PROGRESS), []) for n in (2, 3, 5)),
    *((f"two locks, {n}", program(n, TWO_LOCKS), []) for n in (3, 5)),
]


def search(args, mode, path, flags):
    """What it saw, and CPU seconds."""
    command = [args.heddle, "enumerate", "--mode", mode, "--grain", "sync", "--until-race", "--budget", str(args.budget),
               str(path)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([*command, *(["--native"] if args.native else []), "--", *flags], capture_output=True, text=True,
                         check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = json.loads(run.stdout)
    if "error" in answer:
        raise SystemExit(f"{path}: {answer['error']}")
    return answer["searches"]["sync " + mode], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def row(args, name, path, flags):
    seen, seconds = zip(*(search(args, mode, path, flags) for mode in MODES))
    pruned = seen[-1]
    lines = len(pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    race = "yes" if any(one["race"] for one in seen) else "no"
    cells = [f"{name:20} {lines:4} {pruned['threads']:4} {pruned['variables']:4} {pruned['accesses']:4} "
             f"{pruned['locks']:4} {race:4}"]
    for one, spent in zip(seen, seconds):
        traces = one["executions"] if one["complete"] or one["race"] else "-"
        cells.append(f"{spent:6.2f} {one['events']:8} {traces:>7}")
    cells.append(f"{pruned['checks']:6} {pruned['yes']:5} {pruned['skipped']:5} {pruned['looks']:5}")
    print(" | ".join(cells), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--budget", type=int, default=400000)
    p.add_argument("--native", action="store_true", help="run the programs themselves")
    p.add_argument("--only", default="", help="rows whose name has this text")
    p.add_argument("files", nargs="*")
    args = p.parse_args()
    of_search = f"{'s':>6} {'trans':>8} {'traces':>7}"
    print(" | ".join([f"{'name':20} {'loc':>4} {'thrd':>4} {'vars':>4} {'accs':>4} {'lock':>4} {'race':4}",
                      *(of_search for _ in MODES), f"{'checks':>6} {'yes':>5} {'skip':>5} {'looks':>5}"]))
    for path in args.files:
        row(args, os.path.basename(path), path, [])
    with tempfile.TemporaryDirectory() as folder:
        for name, text, flags in () if args.files else ROWS:
            if args.only not in name:
                continue
            path = PROGRAMS / text
            if "\n" in text:
                path = pathlib.Path(folder) / "program.c"
                path.write_text(text, encoding="utf-8")
            row(args, name, path, flags)


if __name__ == "__main__":
    main()
