# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Disciplines whose threads look again and again: flags that are polled in many ways, turns, locks that are tried.

The enumeration in Python knows states, so it needs no rule for loops: it checks the one that heddle's searches have.
"""

from lang import Stmt
from topic import A, K, Topic, V, guarded


def eq(e, n):
    return ("bin", "==", e, K(n))


class Poll(Topic):
    """One thread writes the data and says so; the others look at the flag until it is up."""

    KINDS = ["atomic", "mutex", "mutex", "letgo", "rwlock", "sem", "section", "try", "both"]

    def build(self):
        super().build()
        b = self.b
        self.kind = b.rng.choice(self.KINDS)
        self.writer = b.rng.choice([0, 0, 9])
        self.a = A(V(b.new_global("go", "atomic")))
        self.f = V(b.new_global("up", "int"))
        self.m = A(V(b.new_global("m", "mutex")))
        self.w = A(V(b.new_global("rw", "rwlock")))
        self.s = A(V(b.new_global("s", "sem")))

    def setup(self):
        return [Stmt("sinit", (self.s, K(1)))] if self.kind == "sem" else []

    def under(self, body):
        if self.kind in ("mutex", "letgo", "try"):
            return guarded(self.m, body)
        if self.kind == "rwlock":
            return [Stmt("wrlock", (self.w,))] + body + [Stmt("rwunlock", (self.w,))]
        if self.kind == "sem":
            return [Stmt("wait", (self.s,))] + body + [Stmt("post", (self.s,))]
        return [Stmt("abegin")] + body + [Stmt("aend")]

    def use(self, thread, index):
        b = self.b
        body = self.some(self.x)
        if thread == self.writer:
            say = [Stmt("astore", (self.a, K(1)))] if self.kind == "atomic" else self.under([Stmt("set",
                                                                                                  (self.f, K(1)))])
            if self.kind == "both":
                say = [Stmt("astore", (self.a, K(1)))] + guarded(self.m, [Stmt("set", (self.f, K(1)))])
            return say + body if b.flaw() else body + say
        return body if b.flaw() else self.wait() + body

    def wait(self):
        r = self.b.fresh("r")
        seen, look = Stmt("decl", (r, "int", K(0))), Stmt("set", (V(r), self.f))
        again = ("!", V(r))
        if self.kind == "atomic":
            return [seen, Stmt("while", (again,), [Stmt("aload", (V(r), self.a))])]
        if self.kind == "both":
            q = self.b.fresh("r")
            return [seen, Stmt("decl", (q, "int", K(0))),
                    Stmt("while", (("!", ("bin", "*", V(r), V(q))),),
                         [Stmt("aload", (V(q), self.a))] + guarded(self.m, [look]))]
        if self.kind == "letgo":
            return [Stmt("lock", (self.m,)), Stmt("while", (("!", self.f),),
                                                  [Stmt("unlock", (self.m,)), Stmt("lock", (self.m,))]),
                    Stmt("unlock", (self.m,))]
        if self.kind == "rwlock":
            return [seen, Stmt("while", (again,), [Stmt("rdlock", (self.w,)), look, Stmt("rwunlock", (self.w,))])]
        if self.kind == "try":
            t = self.b.fresh("t")
            return [seen, Stmt("decl", (t, "int", K(0))),
                    Stmt("while", (again,), [Stmt("trylock", (V(t), self.m)),
                                             Stmt("if", (eq(V(t), 0),), [look, Stmt("unlock", (self.m,))])])]
        return [seen, Stmt("while", (again,), self.under([look]))]


class Turn(Topic):
    """An atomic says whose turn it is; everybody waits for the own and gives it to the next."""
    needs_index = True

    def build(self):
        super().build()
        b = self.b
        self.t, self.team = A(V(b.new_global("turn", "atomic"))), b.rng.choice([2, 2, 3])

    def use(self, thread, index):
        b = self.b
        r = b.fresh("r")
        body = self.some(self.x)
        if b.flaw():
            return body
        wait = [Stmt("decl", (r, "int", K(9))), Stmt("while", (("bin", "!=", V(r), index),),
                                                     [Stmt("aload", (V(r), self.t))])]
        give = [Stmt("astore", (self.t, ("bin", "+", index, K(1))))]
        return wait + (give + body if b.flaw() else body + give)


class Tried(Topic):
    """A lock that is tried until it is free: a mutex, a semaphore, a word that is looked at before it is exchanged."""

    def build(self):
        super().build()
        b = self.b
        self.kind = b.rng.choice(["mutex", "sem", "word"])
        self.m, self.s = A(V(b.new_global("m", "mutex"))), A(V(b.new_global("s", "sem")))
        self.l = A(V(b.new_global("word", "atomic")))

    def setup(self):
        return [Stmt("sinit", (self.s, K(2 if self.b.flaw() else 1)))] if self.kind == "sem" else []

    def use(self, thread, index):
        b = self.b
        r = b.fresh("r")
        first = Stmt("decl", (r, "int", K(1)))
        body = self.some(self.x)
        if b.flaw():
            return body
        if self.kind == "word":
            look = Stmt("while", (V(r),), [Stmt("aload", (V(r), self.l))])
            take = Stmt("axchg", (V(r), self.l, K(1)))
            return [first, Stmt("while", (V(r),), [look, take])] + body + [Stmt("astore", (self.l, K(0)))]
        op, lock, back = ("trylock", self.m, "unlock") if self.kind == "mutex" else ("trywait", self.s, "post")
        return [first, Stmt("while", (V(r),), [Stmt(op, (V(r), lock))])] + body + [Stmt(back, (lock,))]


class Blink(Topic):
    """A flag goes up and down as long as nobody answers: rounds that others see. Who answers may touch the data."""

    def build(self):
        super().build()
        b = self.b
        self.a, self.c = A(V(b.new_global("blink", "atomic"))), A(V(b.new_global("seen", "atomic")))

    def use(self, thread, index):
        b = self.b
        r = b.fresh("r")
        seen = Stmt("decl", (r, "int", K(0)))
        if thread == 0:
            show = [Stmt("astore", (self.a, K(1))), Stmt("astore", (self.a, K(0)))] if not b.flaw() else []
            return [seen, Stmt("while", (("!", V(r)),), show + [Stmt("aload", (V(r), self.c))])] + self.some(self.x)
        watch = [Stmt("while", (("!", V(r)),), [Stmt("aload", (V(r), self.a))]) for _ in range(2)]
        between = [Stmt("while", (V(r),), [Stmt("aload", (V(r), self.a))])] if b.chance(0.5) else []
        body = self.some(self.x)
        answer = [Stmt("astore", (self.c, K(1)))]
        return [seen, watch[0]] + between + (watch[1:] if between else []) + (answer + body if b.flaw()
                                                                              else body + answer)


TOPICS = {"poll": (Poll, 4), "turn": (Turn, 2), "tried": (Tried, 2), "blink": (Blink, 1)}  # name: (class, weight)
