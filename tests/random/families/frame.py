# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all families of random programs share: statements that are C text and meaning at once, and programs of them.

A statement is an `Act`: its text, what it does (`kind`, `args`: see truth.py) and, with a body, the test in front of
it. A program knows its own truth, so that a smaller variant of it is judged anew (shrink_wild of wild.py makes those).
A family is a function `make(Maker)` that fills a program.
"""

import re
from dataclasses import dataclass, field

from families.truth import decide
from wild import Chooser, Node

PRELUDE = """
typedef __SIZE_TYPE__ size_t; typedef long ssize_t; typedef long time_t;
typedef unsigned long pthread_t; typedef int pthread_once_t; typedef unsigned pthread_key_t;
typedef union { char size[48]; long align; } pthread_mutex_t; typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[64]; long align; } pthread_attr_t;
typedef union { char size[32]; long align; } sem_t; typedef union { char size[8]; int align; } pthread_mutexattr_t;
struct timespec { long tv_sec; long tv_nsec; };
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_RWLOCK_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT 0
#define NONE ((void *)0)
#ifdef __cplusplus
extern "C" {
#define QUIET noexcept
#else
#define QUIET
#endif
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) QUIET; int pthread_join(pthread_t, void **);
int pthread_attr_init(pthread_attr_t *) QUIET; int pthread_attr_setdetachstate(pthread_attr_t *, int) QUIET;
int pthread_detach(pthread_t) QUIET; pthread_t pthread_self(void) QUIET;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *) QUIET; int pthread_mutex_destroy(pthread_mutex_t *) QUIET;
int pthread_mutexattr_init(pthread_mutexattr_t *) QUIET; int pthread_mutexattr_settype(pthread_mutexattr_t *, int) QUIET;
int pthread_mutex_lock(pthread_mutex_t *) QUIET; int pthread_mutex_trylock(pthread_mutex_t *) QUIET;
int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *) QUIET; int pthread_mutex_unlock(pthread_mutex_t *) QUIET;
int pthread_rwlock_rdlock(pthread_rwlock_t *) QUIET; int pthread_rwlock_wrlock(pthread_rwlock_t *) QUIET;
int pthread_rwlock_tryrdlock(pthread_rwlock_t *) QUIET; int pthread_rwlock_trywrlock(pthread_rwlock_t *) QUIET;
int pthread_rwlock_unlock(pthread_rwlock_t *) QUIET; int pthread_rwlock_init(pthread_rwlock_t *, const void *) QUIET;
int pthread_rwlock_destroy(pthread_rwlock_t *) QUIET; int pthread_once(pthread_once_t *, void (*)(void));
int pthread_key_create(pthread_key_t *, void (*)(void *)) QUIET;
int sem_init(sem_t *, int, unsigned) QUIET; int sem_wait(sem_t *); int sem_trywait(sem_t *) QUIET;
int sem_timedwait(sem_t *, const struct timespec *); int sem_post(sem_t *) QUIET; int sem_destroy(sem_t *) QUIET;
void *calloc(size_t, size_t) QUIET; void *malloc(size_t) QUIET; void free(void *) QUIET; void abort(void) QUIET;
void *memset(void *, int, size_t) QUIET; void *memmove(void *, const void *, size_t) QUIET; void *memcpy(void *, const void *, size_t) QUIET;
int *__errno_location(void) QUIET; int close(int); long read(int, void *, size_t); long write(int, const void *, size_t);
long strtol(const char *, char **, int) QUIET; long lseek(int, long, int) QUIET; int getchar(void); int scanf(const char *, ...);
char *getenv(const char *) QUIET; int atoi(const char *) QUIET; size_t strlen(const char *) QUIET; int rand(void) QUIET;
time_t time(time_t *) QUIET; int getpid(void) QUIET; void exit(int) QUIET; int dup2(int, int) QUIET; int isatty(int) QUIET;
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);
short __VERIFIER_nondet_short(void); unsigned __VERIFIER_nondet_uint(void); char __VERIFIER_nondet_char(void);
#ifdef __cplusplus
}
#endif
#define errno (*__errno_location())
""".strip().replace("_Bool __V", "bool_t __V").replace("typedef __SIZE",
                                                       "#ifdef __cplusplus\ntypedef bool bool_t;\n#else\n"
                                                       "typedef _Bool bool_t;\n#endif\ntypedef __SIZE", 1).splitlines()


class Act(Node):
    """`kind` and `args` as in truth.py; with `holds` (a predicate on the registers) the body runs if that is true."""

    def __init__(self, text, kind="", *args, body=None, holds=None, tail="}"):
        super().__init__(text, body if body is not None else [], tail)
        self.kind, self.args, self.holds = kind, args, holds
        self.deeds = [(kind, args)]
        self.has_body = body is not None

    def plus(self, kind, *args):
        """The same statement then also does this."""
        self.deeds.append((kind, args))
        return self

    def lines(self, depth, out):
        pad = "  " * depth
        out += [pad + line for line in self.head.splitlines()]
        if self.has_body:
            for act in self.body:
                act.lines(depth + 1, out)
            out.append(pad + self.tail)


@dataclass
class FamilyProg:
    name: str
    family: str
    decls: list = field(default_factory=list)
    funcs: list = field(default_factory=list)  # Act with the signature as head; `main` last
    cells: dict = field(default_factory=dict)  # what objects are at the beginning, see truth.py
    without: tuple = ()  # assumptions that no proof may use
    static: bool = True  # else the proof is left to the search
    lists_inputs: bool = False  # what is chosen are inputs: a confirmed race that depends on them names them
    real_headers: list = field(default_factory=list)  # instead of the declarations above
    suffix: str = ".c"
    data_model: str = ""  # that of this machine
    limit: int = 4000  # states of the search for the truth
    handler: bool = False  # exceptions: there is a terminate handler

    @property
    def idioms(self):
        return [self.family]

    def text(self, native=False):
        head = ["#define _GNU_SOURCE"] + [f"#include <{name}>" for name in self.real_headers]
        out = (head if self.real_headers else list(PRELUDE)) + list(self.decls)
        for func in self.funcs:
            func.lines(0, out)
        return "\n".join(out) + "\n"

    def notes(self):
        options = ([] if self.static else ["--no-static"]) + [f"--without {name}" for name in self.without]
        options += [f"--data-model {self.data_model}"] if self.data_model else []
        return f"// {self.truth()[0]}; family {self.family}; asked with {' '.join(options) or 'no options'}\n"

    def truth(self):
        """(answer, whether a race depends on inputs)"""
        try:
            return self.decide({re.search(r"(\w+)\(", f.head)[1]: f.body for f in self.funcs})
        except KeyError:
            return "no program", False  # a smaller variant that lacks a function

    def decide(self, bodies):
        return decide(bodies, dict(self.cells), self.limit, self.lists_inputs)


class Maker(Chooser):
    def __init__(self, name, family):
        super().__init__(f"{family} {name}", FamilyProg(name, family), [0, 0, 0.1, 0.2, 0.35])

    def declare(self, text, **cells):
        self.prog.decls.append(text)
        self.prog.cells.update(cells)

    def thread(self, name, body, registers=()):
        start = [Act("int " + ", ".join(f"{r} = 0" for r in registers) + ";")] if registers else []
        used = [Act(f"(void){r};") for r in registers]
        self.prog.funcs.append(Act(f"static void *{name}(void *arg) {{", body=start + used + body, tail="  return 0;\n}"))

    def main(self, body, signature="int main(void)"):
        self.prog.funcs.append(Act(signature + " {", body=body, tail="  return 0;\n}"))


def touch(cell, rng=None):
    """An access to plain data: mostly a write."""
    if rng is not None and rng.random() < 0.25:
        return Act(f"(void)*(volatile int *)&{cell};", "read", cell)
    return Act(f"{cell}++;", "write", cell)


def create(index):
    return Act(f"pthread_create(&h{index}, 0, t{index}, 0);", "create", f"t{index}")


def join(index):
    return Act(f"pthread_join(h{index}, 0);", "join", f"t{index}")


COMPARISONS = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
               ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def test(register, op, number, body):
    """if (register op number) { body }"""
    compare = COMPARISONS[op]
    return Act(f"if ({register} {op} {number}) {{", body=body, holds=lambda regs: compare(regs.get(register, 0), number))
