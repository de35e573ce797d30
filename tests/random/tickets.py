#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs in which a counter deals out places of an array, against all their states.

Each thread takes numbers from the counter, in ways that deal each of them once (under a lock, in one atomic step) and
in ways that do not (read before the lock is taken, set back, two locks), and writes to the places that these stand for,
some of them wider than the counter's step. The counter is atomic, so that races are about the places alone. There is a
race iff some state has two threads that are about to touch the same place; all states are visited.

    tickets.py --heddle build/release/heddle --count 300 --seed 1
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

LIMIT, PLACES = 40, 64
HEAD = """#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static _Atomic int next;
static int a[%d];
""" % PLACES
LOAD = "atomic_load_explicit(&next, memory_order_relaxed)"


def store(value):
    return f"atomic_store_explicit(&next, {value}, memory_order_relaxed);"


def ways(r):
    """One use of the counter: the steps that it consists of. `t` is the number that was taken."""
    lock = ("lock", r.choice([0, 0, 0, 0, 1]))
    unlock, step = ("unlock", lock[1]), r.choice([1, 2, 2])
    return r.choice([
        [lock, ("load",), ("leave", lock[1]), ("store", step), unlock],
        [lock, ("load",), ("leave", lock[1]), ("store", step), unlock],
        [("load",), ("leave", None), lock, ("store", step), unlock],
        [("load",), ("leave", None), ("exchange", step)],
        [("load",), ("leave", None), ("exchange", step)],
        [lock, ("load",), ("leave", lock[1]), unlock, lock, ("store", step), unlock],
        [lock, ("set", r.choice([0, 2, 4])), unlock],
        [lock, ("load",), ("leave", lock[1]), ("store", step), ("store", r.choice([1, 3])), unlock],
    ])


def make(r):
    def uses():
        return [step for _ in range(r.choice([1, 1, 2])) for step in ways(r) + places(r)]
    kinds = [uses() for _ in range(r.choice([1, 2]))]
    return [r.choice(kinds) for _ in range(r.choice([2, 2, 3]))]


def places(r):
    return [("touch", r.choice([0, 0, 0, 1])) for _ in range(r.choice([0, 1, 1, 2]))]


TEXT = {
    "lock": lambda n: f"pthread_mutex_lock(&locks[{n}]);",
    "unlock": lambda n: f"pthread_mutex_unlock(&locks[{n}]);",
    "load": lambda: f"t = {LOAD};",
    "leave": lambda n: f"if (t >= {LIMIT}) {{ " + (f"pthread_mutex_unlock(&locks[{n}]); " if n is not None else "") +
    "return 0; }",
    "store": lambda n: store(f"t + {n}"),
    "set": store,
    "exchange": lambda n: "{ int e = t; if (!atomic_compare_exchange_strong_explicit(&next, &e, t + %d, "
                          "memory_order_relaxed, memory_order_relaxed)) return 0; }" % n,
    "touch": lambda n: f"a[t + {n}] = 1;",
}


def text(threads):
    out = HEAD
    for i, steps in enumerate(threads):
        body = "\n    ".join(TEXT[step[0]](*step[1:]) for step in steps)
        out += f"static void *thread{i}(void *x) {{\n    int t = 0;\n    {body}\n    return x;\n}}\n"
    ids = range(len(threads))
    out += "int main(void) {\n    pthread_t t[%d];\n" % len(threads)
    out += "".join(f"    pthread_create(&t[{i}], 0, thread{i}, 0);\n" for i in ids)
    return out + "".join(f"    pthread_join(t[{i}], 0);\n" for i in ids) + "    return 0;\n}\n"


def after(threads, state, i):
    """The state when thread i has taken its next step; None if it cannot."""
    counter, held, at, numbers = state
    at, numbers, held = list(at), list(numbers), list(held)
    kind, *rest = threads[i][at[i]]
    at[i] += 1
    if kind == "lock":
        if held[rest[0]] is not None:
            return None
        held[rest[0]] = i
    elif kind == "unlock":
        held[rest[0]] = None
    elif kind == "load":
        numbers[i] = counter
    elif kind == "store":
        counter = numbers[i] + rest[0]
    elif kind == "set":
        counter = rest[0]
    elif kind == "exchange":
        if counter == numbers[i]:
            counter += rest[0]
        else:
            at[i] = len(threads[i])
    return counter, tuple(held), tuple(at), tuple(numbers)


def is_racy(threads):
    n = len(threads)
    todo = [(0, (None, None), (0,) * n, (0,) * n)]
    seen = set(todo)
    while todo:
        state = todo.pop()
        at, numbers = state[2], state[3]
        alive = [i for i in range(n) if at[i] < len(threads[i])]
        touched = [numbers[i] + threads[i][at[i]][1] for i in alive if threads[i][at[i]][0] == "touch"]
        if len(set(touched)) < len(touched):
            return True
        for i in alive:
            new = after(threads, state, i)
            if new is not None and new not in seen:
                seen.add(new)
                todo.append(new)
    return False


def judge(options, number):
    threads = make(random.Random(f"{options.seed}:{number}"))
    truth = "race" if is_racy(threads) else "race-free"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tickets.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text(threads))
        searches = ["--search-budget", "0"] if options.without_search else []
        done = subprocess.run([options.heddle, "verify", *searches, path], capture_output=True, text=True, timeout=300, check=False)
    said = (done.stdout.splitlines() or [""])[-1].removeprefix("verdict: ")
    return number, truth, said


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--heddle", required=True)
    p.add_argument("--count", type=int, default=300)
    p.add_argument("--seed", default="1")
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--without-search", action="store_true", help="what is proved is proved without running it")
    p.add_argument("--show", action="store_true", help="print the first program and end")
    options = p.parse_args()
    if options.show:
        print(text(make(random.Random(f"{options.seed}:{options.first}"))), end="")
        return 0
    passed = failed = 0
    counted = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.count)
        for number, truth, said in pool.map(lambda n: judge(options, n), numbers):
            counted[truth, said] = counted.get((truth, said), 0) + 1
            if said in (truth, "unknown"):
                passed += 1
            else:
                failed += 1
                print(f"{options.seed}:{number}: {truth}, heddle says '{said}'")
    print(", ".join(f"{n} {truth} called {said}" for (truth, said), n in sorted(counted.items())))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
