#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that main starts in a loop: attacks on what the judge `transaction` believes of them, and what it proves.

    tests/many_threads.py --heddle build/release/heddle [--only NAME]

Each row is what every one of four threads does, under a lock and beside it; all access `x`. Of the RACY rows each scan
must report the race on `x`, and no `verify` may say race-free; of the SAFE rows a scan leaves no suspected race. The
last line is `N passed, M failed`.
"""
import sys

import attacks

HEAD = """#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int x, go, busy, n, turn, state, owner;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
"""
BUSY = "LOCK; while (busy) { UNLOCK; LOCK; } busy = 1; UNLOCK; x++; LOCK; busy = 0; UNLOCK;"

# name: what a thread does, what it is handed in round i, what main does beside the threads, declarations
RACY = {
    "handed before": ("long id = (long)a; LOCK; while (!go) { UNLOCK; LOCK; } UNLOCK; if (id < 2) x++;", "(void *)i",
                      "LOCK; go = 1; UNLOCK;"),
    "handed twice": ("long id = (long)a; if (id == 1) x++;", "(void *)(i / 2)"),
    "freed twice": (BUSY + " LOCK; busy = 0; UNLOCK;",),
    "main frees": (BUSY, "0", "LOCK; busy = 0; UNLOCK;"),
    "main does it too": (BUSY, "0", "x++;"),
    "two may": ("LOCK; while (n >= 2) { UNLOCK; LOCK; } n++; UNLOCK; x++; LOCK; n--; UNLOCK;",),
    "semaphore of two": ("LOCK; while (n == 0) { UNLOCK; LOCK; } n--; UNLOCK; x++; LOCK; n++; UNLOCK;", "0",
                         "LOCK; n = 2; UNLOCK;"),
    "all own it": ("LOCK; if (owner == 0) owner = 1; int mine = owner == 1; UNLOCK; if (mine) x++;",),
    "the first two": ("LOCK; int k = n++; UNLOCK; if (k < 2) x++;",),
    "local memory": ("int mine = 0; LOCK; set(&mine); UNLOCK; LOCK; int y = mine; UNLOCK; if (y) x++;", "0", "",
                     "void set(int *p) { *p = 1; }"),
    "made memory": ("int *p = malloc(4); *p = 0; LOCK; if (!go) *p = 1; UNLOCK; if (*p) x++; free(p);",),
    "the first again": ("LOCK; int mine = !go; go = 1; n++; if (n == 2) go = 0; UNLOCK; if (mine) x++;",),
    "own cell": ("int *c = a; LOCK; *c = 1; UNLOCK; LOCK; int v = cells[3]; UNLOCK; if (v) x++;", "&cells[i]", "",
                 "int cells[4];"),
    "two flags": ("LOCK; if (!busy) { busy = 1; UNLOCK; x++; LOCK; busy = 0; } UNLOCK; "
                  "LOCK; if (!turn) { turn = 1; UNLOCK; x++; LOCK; turn = 0; } UNLOCK;",),
    "together": ("LOCK; n++; UNLOCK; while (1) { LOCK; int k = n; UNLOCK; if (k >= 2) break; } x++;",),
    "tried": ("if (pthread_mutex_trylock(&other) == 0) { LOCK; busy++; UNLOCK; pthread_mutex_unlock(&other); } "
              "LOCK; int k = busy; UNLOCK; if (k == 1) x++;",),
    "started by each": ("pthread_t t; LOCK; busy = 0; UNLOCK; pthread_create(&t, 0, inner, 0);", "0", "",
                        "void *inner(void *a) { LOCK; while (busy) { UNLOCK; LOCK; } busy = 1; UNLOCK; x++; return 0; }"),
    "states": ("LOCK; if (state == 0) { state = 1; UNLOCK; x++; LOCK; state = 2; } UNLOCK; "
               "LOCK; if (state == 1) state = 0; UNLOCK;",),
}
SAFE = {
    "busy": (BUSY,),
    "busy, waiting": ("LOCK; while (busy) pthread_cond_wait(&changed, &m); busy = 1; UNLOCK; x++; "
                      "LOCK; busy = 0; pthread_cond_signal(&changed); UNLOCK;",),
    "claimed once": ("LOCK; int mine = !state; state = 1; UNLOCK; if (mine) x++;",),
    "a state of its own": ("LOCK; if (state == 0) { state = 1; UNLOCK; x++; LOCK; state = 0; } UNLOCK;",),
    "semaphore of one": ("LOCK; while (n == 0) { UNLOCK; LOCK; } n--; UNLOCK; x++; LOCK; n++; UNLOCK;", "0",
                         "LOCK; n = 1; UNLOCK;"),
}


def program(does, handed="0", beside="", declarations=""):
    return f"""{HEAD}{declarations}
void *work(void *a) {{
  {does}
  return 0;
}}
int main(void) {{
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, {handed});
  {beside}
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return x;
}}
"""


def main():
    rows = {f"racy, {name}": (program(*row), attacks.is_racy) for name, row in RACY.items()}
    rows |= {f"safe, {name}": (program(*row), attacks.is_safe) for name, row in SAFE.items()}
    return attacks.run_all(__doc__, rows)


if __name__ == "__main__":
    sys.exit(main())
