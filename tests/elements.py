#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements of arrays that threads take, use and give back: attacks on the judge `transaction`, and what it proves.

    tests/elements.py --heddle build/release/heddle [--only NAME]

Each row is what each of two threads does with the slots of `s`, and declarations; the races are on `x` of some slot. Of
the RACY rows each scan must report it, and no `verify` may say race-free; of the SAFE rows a scan leaves no suspected
race. The last line is `N passed, M failed`.
"""
import sys

import attacks

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define N 16
struct slot { int state; int x; struct slot *next; } s[N];
struct other { char c; int state, x; } o[N];
int states[N], xs[N], two[4][4], twostate[4][4], turn, hand;
struct slot *parked;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
struct slot *find(void) {
  struct slot *found = 0;
  LOCK;
  for (int i = 0; i < N; i++)
    if (!s[i].state) { found = &s[i]; found->state = 1; break; }
  UNLOCK;
  return found;
}
int pick(void) {
  int found = -1;
  LOCK;
  for (int i = 0; i < N; i++)
    if (!s[i].state) { s[i].state = 1; found = i; break; }
  UNLOCK;
  return found;
}
void put(struct slot *p) { LOCK; p->state = 0; UNLOCK; }
"""
EACH = "struct each { pthread_mutex_t lock; pthread_cond_t free; int state, x; } e[N];"
TAKE = "struct slot *p = find(); if (!p) return 0; "
PICK = "int i = pick(); if (i < 0) return 0; "

# name: what thread one does, what thread two does (none: the same), declarations
RACY = {
    "free": ("s[n].x++;",),
    "given back before": (TAKE + "put(p); p->x++;",),
    "given back without the lock": ("struct slot *p = 0; LOCK; for (int i = 0; i < N; i++) if (!s[i].state) p = &s[i]; "
                                    "UNLOCK; if (p) { p->x++; }",),
    "looked at outside": ("struct slot *p = &s[n]; if (!p->state) { LOCK; p->state = 1; UNLOCK; p->x++; put(p); }",),
    "the next one": (TAKE + "(p + 1)->x++; put(p);", TAKE + "p->x++; put(p);"),
    "the next one, by index": (PICK + "s[(i + 1) % N].x++;", PICK + "s[i].x++;"),
    "index moves on": (PICK + "i = n; s[i].x++;",),
    "another one is freed": (TAKE + "s[n].state = 0; p->x++;", TAKE + "p->x++; put(p);"),
    "all are cleared": (TAKE + "LOCK; memset(s, 0, sizeof s); UNLOCK; p->x++;", TAKE + "p->x++;"),
    "a part is cleared": (TAKE + "LOCK; memset(&s[n], 0, 3 * sizeof s[0]); UNLOCK; p->x++;", TAKE + "p->x++;"),
    "copied over": (TAKE + "LOCK; s[n] = s[m_]; UNLOCK; p->x++;", TAKE + "p->x++;", "int m_;"),
    "moved": (TAKE + "LOCK; memmove(&s[0], &s[1], 15 * sizeof s[0]); UNLOCK; p->x++;", TAKE + "p->x++;"),
    "state by its address": (TAKE + "int *f = &s[n].state; LOCK; *f = 0; UNLOCK; p->x++;", TAKE + "p->x++;"),
    "state by bytes": (TAKE + "char *c = (char *)s; LOCK; c[n * 4] = 0; UNLOCK; p->x++;", TAKE + "p->x++;"),
    "state by another type": (TAKE + "int *c = (int *)s; LOCK; c[n] = 0; UNLOCK; p->x++;", TAKE + "p->x++;"),
    "by another stride": (TAKE + "struct wide *w = (struct wide *)s; LOCK; w[n].b.state = 0; UNLOCK; p->x++;",
                          TAKE + "p->x++;", "struct wide { struct slot a, b; };"),
    "all are freed": (TAKE + "LOCK; for (int i = 0; i < N; i++) s[i].state = 0; UNLOCK; p->x++;", TAKE + "p->x++;"),
    "all that one does not have": (TAKE + "LOCK; for (int i = 0; i < N; i++) if (&s[i] != p) s[i].state = 0; UNLOCK; "
                                   "p->x++;", TAKE + "p->x++;"),
    "of another array": ("int i = n; LOCK; int mine = !states[i]; states[i] = 1; UNLOCK; if (mine) xs[(i + 1) % N]++;",
                         "int i = n; LOCK; int mine = !states[i]; states[i] = 1; UNLOCK; if (mine) xs[i]++;"),
    "only one array": ("int i = n; LOCK; int mine = !states[i]; states[i] = 1; UNLOCK; if (mine) xs[i]++;",
                       "int i = n; LOCK; int mine = !o[i].state; o[i].state = 1; UNLOCK; if (mine) xs[i]++;"),
    "two numbers": ("int i = n & 3; LOCK; int mine = !twostate[i][n & 1]; twostate[i][n & 1] = 1; UNLOCK; "
                    "if (mine) two[i][2]++;",),
    "a number cut off": ("int i = n; LOCK; int mine = !states[(unsigned char)i]; states[(unsigned char)i] = 1; UNLOCK; "
                         "if (mine) xs[i & 7]++;",
                         "LOCK; int mine = !states[n & 7]; states[n & 7] = 1; UNLOCK; if (mine) xs[n & 7]++;"),
    "handed to both": (TAKE + "LOCK; parked = p; UNLOCK; p->x++;",
                       "LOCK; struct slot *p = parked; UNLOCK; if (p) p->x++;"),
    "handed, and kept by its number": (PICK + "LOCK; hand = i; UNLOCK; s[i].x++;",
                                       "LOCK; int i = hand; UNLOCK; s[i & 15].x++;"),
    "parked is changed": ("LOCK; struct slot *p = parked; parked = 0; UNLOCK; if (p) p->x++; LOCK; parked = &s[n]; UNLOCK;",
                          "LOCK; parked = &s[n]; struct slot *p = parked; UNLOCK; p->x++;"),
    "a list": ("LOCK; struct slot *p = s[n].next; s[n].next = 0; UNLOCK; if (p) p->x++;",
               "LOCK; s[n].next = &s[5]; UNLOCK; s[5].x++;"),
    "around a container": ("int *q = &s[n].x; struct slot *p = (struct slot *)((char *)q - 4); p->x++;",),
    "the first is special": ("s[0].x++;", TAKE + "p->x++; put(p);"),
    "one of two": ("struct slot *p = n ? &s[n] : &s[3]; p->x++;", TAKE + "p->x++; put(p);"),
    "the state is counted": ("struct slot *p = &s[n]; LOCK; p->state++; UNLOCK; p->x++; LOCK; p->state--; UNLOCK;",),
    "exchanged, not looked at": ("__atomic_exchange_n(&s[n].state, 1, 5); s[n].x++;",),
    "freed twice": (TAKE + "p->x++; put(p); put(p); p = find(); if (p) p->x++;",),
    "taken over": (TAKE + "p->x++; put(p);", "struct slot *p = &s[n]; LOCK; p->state = 1; UNLOCK; p->x++;"),
    "found again": (TAKE + "p->x++; put(p); p = find(); if (p) { put(p); p->x++; }",),
    "a number where a pointer was": (
        "LOCK; u.p = &s[3]; u.i = n; long i = u.i; int mine = !states[i]; states[i] = 1; UNLOCK; if (mine) xs[i]++;",
        "int i = n; LOCK; int mine = !o[i].state; o[i].state = 1; UNLOCK; if (mine) xs[i]++;",
        "union { struct slot *p; long i; } u;"),
    "filled by the library": (TAKE + "LOCK; snprintf((char *)&s[n], 5, \"%d\", n); UNLOCK; p->x++;", TAKE + "p->x++;",
                              "int snprintf(char *, unsigned long, const char *, ...);"),
    "loop": ("for (int i = 0; i < N; i++) { LOCK; int mine = !s[i].state; if (mine) s[i].state = 1; UNLOCK; "
             "if (mine) s[i > 3 ? i - 1 : i].x++; }",),
    "a phi of two": (PICK + "int j = n ? i : 3; s[j].x++;",),
    "in a struct": ("struct slot *p = &g.in[n]; LOCK; int mine = !p->state; p->state = 1; UNLOCK; if (mine) g.in[g.k].x++;",
                    None, "struct { int k; struct slot in[N]; int z; } g;"),
    "two of a struct": ("int i = n; LOCK; int mine = !g.a[i].state; g.a[i].state = 1; UNLOCK; if (mine) g.b[i].x++;",
                        "int i = n; LOCK; int mine = !g.b[i].state; g.b[i].state = 1; UNLOCK; if (mine) g.b[i].x++;",
                        "struct { struct slot a[N], b[N]; } g;"),
    "both of a struct": ("struct slot *p = n ? &g.a[n] : &g.b[n]; LOCK; int mine = !g.a[n].state; g.a[n].state = 1; UNLOCK; "
                         "if (mine) p->x++;", None, "struct { struct slot a[N], b[N]; } g;"),
    "a lock in each, of another": ("struct each *p = &e[n]; pthread_mutex_lock(&e[(n + 1) % N].lock); int mine = !p->state; "
                                   "p->state = 1; pthread_mutex_unlock(&e[(n + 1) % N].lock); if (mine) p->x++;",
                                   "struct each *p = &e[n]; pthread_mutex_lock(&p->lock); int mine = !p->state; "
                                   "p->state = 1; pthread_mutex_unlock(&p->lock); if (mine) p->x++;", EACH),
    "a lock in each, given back too early": ("struct each *p = &e[n]; pthread_mutex_lock(&p->lock); pthread_mutex_unlock(&p->lock); "
                                             "int mine = !p->state; p->state = 1; if (mine) p->x++;", None, EACH),
    "a lock in each, given back by another": (
        "struct each *p = &e[n]; pthread_mutex_lock(&p->lock); int mine = !p->state; if (mine) p->state = 1; "
        "pthread_mutex_unlock(&p->lock); if (mine) p->x++;",
        "pthread_mutex_unlock(&e[n].lock); struct each *p = &e[n]; int mine = !p->state; if (mine) p->state = 1; "
        "if (mine) p->x++;", EACH),
    "a lock in each, not of the data": ("struct each *p = &e[n]; pthread_mutex_lock(&p->lock); xs[n / 2]++; "
                                        "pthread_mutex_unlock(&p->lock);", None, EACH),
}
SAFE = {
    "a lock in each": ("struct each *p = &e[n]; pthread_mutex_lock(&p->lock); int mine = !p->state; p->state = 1; "
                       "pthread_mutex_unlock(&p->lock); if (mine) p->x++;", None, EACH),
    "a lock in each, waiting": (
        "struct each *p = &e[n]; pthread_mutex_lock(&p->lock); while (p->state) pthread_cond_wait(&p->free, &p->lock); "
        "p->state = 1; pthread_mutex_unlock(&p->lock); p->x++; pthread_mutex_lock(&p->lock); p->state = 0; "
        "pthread_cond_signal(&p->free); pthread_mutex_unlock(&p->lock);", None, EACH),
    "taken and given back": (TAKE + "p->x++; put(p);",),
    "taken and kept": (TAKE + "p->x++;",),
    "by number": (PICK + "s[i].x++; LOCK; s[i].state = 0; UNLOCK;",),
    "states aside": ("int i = n; LOCK; int mine = !states[i]; states[i] = 1; UNLOCK; if (mine) xs[i]++;",),
    "claimed by exchange": ("struct slot *p = &s[n]; if (!__atomic_exchange_n(&p->state, 1, 5)) p->x++;",),
    "waits for it": ("struct slot *p = &s[n]; LOCK; while (p->state) { UNLOCK; LOCK; } p->state = 1; UNLOCK; p->x++; put(p);",),
    "handed over": ("struct slot *p = &s[n]; LOCK; if (p->state == 0) { p->state = 1; UNLOCK; p->x++; LOCK; p->state = 2; } "
                    "UNLOCK;",
                    "struct slot *p = &s[n]; LOCK; if (p->state == 2) { p->state = 3; UNLOCK; p->x++; LOCK; p->state = 0; } "
                    "UNLOCK;"),
    "handed over by pointer": (TAKE + "p->x++; LOCK; while (parked) { UNLOCK; LOCK; } parked = p; UNLOCK;",
                               "LOCK; struct slot *p = parked; parked = 0; UNLOCK; if (p) { p->x++; put(p); }"),
    "in a struct": ("struct slot *p = &g.in[n]; LOCK; int mine = !p->state; p->state = 1; UNLOCK; if (mine) p->x++;",
                    None, "struct { int k; struct slot in[N]; int z; } g;"),
}


def program(one, two=None, declarations=""):
    return f"""{HEAD}{declarations}
int nd(void) {{ return rand() % N; }}
void *first(void *a) {{
  int n = nd();
  {one}
  return 0;
}}
void *second(void *a) {{
  int n = nd();
  {two or one}
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
    races, why = attacks.suspected(heddle, path)
    if why:
        return why
    if not races:
        return "the scan does not report the race"
    verify = attacks.heddle_of(heddle, "verify", str(path), "--timeout", "30")
    return "WRONG PROOF" if "verdict: race-free" in verify.stdout else None


def main():
    rows = {f"racy, {name}": (program(*row), is_racy) for name, row in RACY.items()}
    rows |= {f"safe, {name}": (program(*row), attacks.is_safe) for name, row in SAFE.items()}
    return attacks.run_all(__doc__, rows)


if __name__ == "__main__":
    sys.exit(main())
