#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data that is published by atomics of weak orders: attacks on the judge `transaction`, and what it proves.

    tests/publication.py --heddle build/release/heddle [--only NAME]

Each row is what each of two threads does, and declarations; the races are on `x`. Of the RACY rows each scan must
report it, and no `verify` may say race-free, also where only weak memory has the race; of the SAFE rows a scan leaves
no suspected race. The last line is `N passed, M failed`.
"""
import sys

import attacks

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
int x, y;
atomic_int a, b;
atomic_bool told;
struct { atomic_int a; atomic_int b; int x; } s;
union { atomic_int whole; atomic_char part[4]; } u;
#define GET(v) atomic_load_explicit(&(v), memory_order_acquire)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_release)
#define LOOSE_GET(v) atomic_load_explicit(&(v), memory_order_relaxed)
#define LOOSE_SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)
"""
WRITE, READ = "x = 1; SET(a, 1);", "if (GET(a)) x++;"

# name: what thread one does, what thread two does, declarations
RACY = {
    "told before": ("SET(a, 1); x = 1;", READ),
    "told nothing": (WRITE, "if (!GET(a)) x++;"),
    "told of something else": ("x = 1; SET(b, 1);" + WRITE, "if (GET(b) || 1) x++;"),
    "a relaxed store": ("x = 1; LOOSE_SET(a, 1);", READ),
    "a relaxed load": (WRITE, "if (LOOSE_GET(a)) x++;"),
    "a relaxed store as well": ("LOOSE_SET(a, 1); x = 1; SET(a, 1);", READ),
    "a relaxed store of the other": (WRITE, "LOOSE_SET(a, 1); if (GET(a)) x++;"),
    "the reader tells itself": (WRITE, "SET(a, 1); " + READ),
    "the first number": (WRITE, "if (GET(a) == 0) x++;"),
    "after it is taken back": ("x = 1; SET(a, 1); SET(a, 0); x = 2;", READ),
    "taken back, and seen no more": ("x = 1; SET(a, 1); x = 2; SET(a, 0);", READ),
    "two flags, each its own": ("SET(a, 1); if (!GET(b)) x++;", "SET(b, 1); if (!GET(a)) x++;"),
    "two flags in the other order": ("if (!GET(b)) { SET(a, 1); if (!GET(b)) x++; }",
                                     "if (!GET(a)) { SET(b, 1); if (!GET(a)) x++; }"),
    "Peterson": ("SET(a, 1); SET(s.a, 1); while (GET(b) && GET(s.a) == 1) ; x++; SET(a, 0);",
                 "SET(b, 1); SET(s.a, 0); while (GET(a) && GET(s.a) == 0) ; x++; SET(b, 0);"),
    "through a third number": (WRITE, "if (GET(a) == 0 || GET(a) == 1) x++;"),
    "counted": ("x = 1; SET(a, GET(a) + 1);", "if (GET(a) < 5) x++;"),
    "a number that is any": ("SET(a, rand()); x = 1; SET(a, 1);", READ),
    "an update": ("x = 1; atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);", READ),
    "an update by the reader": (WRITE, "atomic_fetch_or(&a, 1); " + READ),
    "an exchange by the reader": (WRITE, "if (!atomic_exchange_explicit(&a, 1, memory_order_acq_rel) || GET(a)) x++;"),
    "memset tells": ("x = 1; SET(a, 1);", "memset(&a, 1, sizeof a); " + READ),
    "memset tells of the structure": ("s.x = 1; SET(s.a, 1);", "memset(&s, 0x11, 8); if (GET(s.a)) s.x++;"),
    "written as bytes": ("x = 1; SET(u.whole, 1);", "SET(u.part[1], 1); if (GET(u.whole)) x++;"),
    "read as bytes": ("SET(u.part[0], 1); x = 1; SET(u.whole, 1);", "if (GET(u.part[0])) x++;"),
    "written plainly by the reader": (WRITE, "*(int *)&a = 1; " + READ),
    "through a pointer": (WRITE, "atomic_int *p = rand() & 1 ? &a : &b; SET(*p, 1); " + READ),
    "written behind": ("SET(told, true); x = 1;", "if (GET(told)) x++;"),
    "told twice": ("x = 1; SET(a, 1); x = 2; SET(a, 2);", READ),
    "in a chain, one link loose": ("x = 1; SET(a, 1);", "if (GET(a)) LOOSE_SET(b, 1); if (LOOSE_GET(b)) { } "
                                   "if (GET(s.b)) x++;", "__attribute__((constructor)) void c(void) { SET(s.b, 1); }"),
    "a flag that begins as set": ("x = 1; SET(s.b, 1);", "if (GET(s.b)) x++;",
                                  "#define s s2\nstruct { atomic_int a, b; } s2 = {1, 1};"),
    "first strong, then loose": ("x = 1; atomic_store(&a, 1);", "if (LOOSE_GET(a)) x++;"),
    "strong flags, one loose test": ("atomic_store(&a, 1); if (!LOOSE_GET(b)) x++;",
                                     "atomic_store(&b, 1); if (!atomic_load(&a)) x++;"),
    "strong flags, one test with acquire": ("atomic_store(&a, 1); if (!GET(b)) x++;",
                                            "atomic_store(&b, 1); if (!atomic_load(&a)) x++;"),
    "strong flags, one release": ("SET(a, 1); if (!atomic_load(&b)) x++;",
                                  "atomic_store(&b, 1); if (!atomic_load(&a)) x++;"),
}
SAFE = {
    "told": (WRITE, READ),
    "told by a bool": ("x = 1; SET(told, true);", "if (GET(told)) x++;"),
    "waits for it": (WRITE, "while (!GET(a)) ; x++;"),
    "told by one of three numbers": ("SET(a, 1); x = 1; SET(a, 2);", "if (GET(a) == 2) x++;"),
    "stops": ("while (!GET(told)) ; x++;", "x = 1; SET(told, true);"),
    "in a structure": ("s.x = 1; SET(s.a, 1);", "if (GET(s.a)) s.x++;"),
    "first strong, then with acquire": ("x = 1; atomic_store(&a, 1);", READ),
    "with release, then strong": (WRITE, "if (atomic_load(&a)) x++;"),
    "two strong flags": ("atomic_store(&a, 1); if (!atomic_load(&b)) x++;",
                         "atomic_store(&b, 1); if (!atomic_load(&a)) x++;"),
    "cleared first": (WRITE, READ, "#define main(...) main(void) { memset(&a, 0, sizeof a); return run(); } int run(void)"),
    "beside loose counters": ("LOOSE_SET(b, 3); " + WRITE, "LOOSE_GET(b); " + READ),
}


def program(one, two, declarations=""):
    return f"""{HEAD}{declarations}
void *first(void *arg) {{
  {one}
  return 0;
}}
void *second(void *arg) {{
  {two}
  return 0;
}}
int main(void) {{
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}}
"""


def is_racy(heddle, path):
    """The race may be one of `s.x`, too."""
    races, why = attacks.suspected(heddle, path)
    if why:
        return why
    if not any(race["variable"] in ("x", "s.x") for race in races):
        return "the scan does not report the race"
    verify = attacks.heddle_of(heddle, "verify", str(path), "--timeout", "30")
    return "WRONG PROOF" if "verdict: race-free" in verify.stdout else None


ROWS = {"racy: " + name: (program(*row), is_racy) for name, row in RACY.items()}
ROWS |= {"safe: " + name: (program(*row), attacks.is_safe) for name, row in SAFE.items()}
if __name__ == "__main__":
    sys.exit(attacks.run_all(__doc__, ROWS))
