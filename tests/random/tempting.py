# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that tempt a search to prune too much.

Each shared variable has its lock. Threads tell each other by values under these locks what to do next: which branch,
how many rounds, which element, which lock. Now and then something deep inside is not protected, or by another lock.
"""

import random

PRELUDE = """#include <pthread.h>
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
int v0, v1, v2, d[3], own1, own2, own3;
_Atomic int a;
pthread_mutex_t *lp = &m0;
int *vp = &v0;
static void act0(void) { LOCK(m0); v0++; UNLOCK(m0); }
static void act1(void) { LOCK(m1); v1++; UNLOCK(m1); }
static void (*fp)(void) = act0;
"""


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.flaw = self.random.random() < 0.7  # one access without its lock

    def pick(self, *choices):
        return self.random.choice(choices)

    def block(self, thread, depth):
        return " ".join(self.statement(thread, depth) for _ in range(self.random.randint(1, 2)))

    def access(self, thread):
        v = self.random.randrange(3)
        lock = v
        if self.flaw and self.random.random() < 0.25:
            self.flaw = False
            if self.random.random() < 0.6:
                return self.pick(f"v{v}++;", f"k = v{v};", f"v{v} = 1;", "d[k]++;", "(*vp)++;")
            lock = (v + 1) % 3
        act = self.pick(f"v{v}++;", f"v{v} = {self.random.randrange(2)};", f"k = v{v};", f"k = v{v};", f"k = !v{v};")
        return f"LOCK(m{lock}); {act} UNLOCK(m{lock});"

    def statement(self, thread, depth):
        r = self.random.random()
        if r < 0.45 or depth == 0:
            return self.access(thread)
        inner = self.block(thread, depth - 1)
        if r < 0.70:
            other = f" else {{ {self.block(thread, depth - 1)} }}" if self.random.random() < 0.3 else ""
            return f"if ({self.pick('k', '!k', 'k == 1', f'own{thread}')}) {{ {inner} }}{other}"
        if r < 0.76:
            return f"for (int j = {self.pick('0; j < k', 'k; j < 1')}; j++) {{ {inner} }}"
        if r < 0.80:
            return f"own{thread} = k; {inner}"
        return self.pick(
            "LOCK(m2); d[k & 1]++; UNLOCK(m2);",
            f"a = {self.random.randrange(2)};",
            "k = a;",
            f"LOCK(m1); lp = &m{self.random.randrange(3)}; UNLOCK(m1);",
            "{ pthread_mutex_t *l; LOCK(m1); l = lp; UNLOCK(m1); pthread_mutex_lock(l); v0++; pthread_mutex_unlock(l); }",
            f"LOCK(m1); vp = &{self.pick('v0', 'v2', 'own1')}; UNLOCK(m1);",
            "{ int *p; LOCK(m1); p = vp; UNLOCK(m1); LOCK(m0); (*p)++; UNLOCK(m0); }",
            f"LOCK(m2); fp = act{self.random.randrange(2)}; UNLOCK(m2);",
            "{ void (*f)(void); LOCK(m2); f = fp; UNLOCK(m2); f(); }",
            "if (!pthread_mutex_trylock(&m0)) { v0++; UNLOCK(m0); }",
            f"if (k) return 0; {inner}",
            f"switch (k) {{ case 0: {inner} break; case 1: {self.access(thread)} default: k = 0; }}")

    def text(self):
        count = self.pick(2, 2, 3)
        body = "".join(f"static void *t{t}(void *given) {{ int k = 0; "
                       f"{' '.join(self.statement(t, 2) for _ in range(self.random.randint(1, 3)))} return 0; }}\n"
                       for t in range(1, count + 1))
        create = " ".join(f"pthread_create(&h{t}, 0, t{t}, 0);" for t in range(1, count + 1))
        join = " ".join(f"pthread_join(h{t}, 0);" for t in range(1, count + 1))
        end = self.pick("", "v0 = v1;", "LOCK(m0); v0++; UNLOCK(m0);")
        return PRELUDE + body + f"int main(void) {{ pthread_t h1, h2, h3; {create} {join} {end} return 0; }}\n"


def generate_tempting(name):
    return Maker(name)
