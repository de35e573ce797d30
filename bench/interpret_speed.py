#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions a second of the interpreter on one core: arithmetic, memory, calls, heap, locks. Prints one line a
program.

usage: interpret_speed.py HEDDLE
"""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

PROGRAMS = {
    "arithmetic": "int main(void) { unsigned u = 0; for (unsigned i = 0; i < 20000000u; i++) u = u * 31u + (i ^ u >> 3); return u & 1; }",
    "array": "static int a[4096]; int main(void) { for (int r = 0; r < 3000; r++) for (int i = 1; i < 4096; i++) a[i] = a[i - 1] + r; return a[7] & 1; }",
    "calls": "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int main(void) { return fib(31) & 1; }",
    "list": """#include <stdlib.h>
struct n { struct n *next; int v; };
int main(void) { struct n *h = 0; for (int i = 0; i < 20000; i++) { struct n *x = malloc(sizeof *x); x->next = h; x->v = i; h = x; }
  long s = 0; for (int r = 0; r < 400; r++) for (struct n *p = h; p; p = p->next) s += p->v; return (int)(s & 1); }""",
    "locks": """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
static void *w(void *p) { for (int i = 0; i < 300000; i++) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); } return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); return c & 1; }""",
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            source = pathlib.Path(folder) / f"{name}.c"
            source.write_text(text)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = subprocess.run([sys.argv[1], "run", "--statistics", str(source)], capture_output=True, text=True)
            spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            count = int(re.search(r"(\d+) instructions", done.stderr).group(1))
            print(f"{name:12} {count:12} instructions {spent:6.2f} s of CPU {count / spent / 1e6:8.1f} million a second")


if __name__ == "__main__":
    main()
