# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Topics where order decides: semaphores, flags, tickets, phases, conditions, barriers, sections."""

from lang import Stmt
from topic import A, K, V, Topic, guarded


class Semaphore(Topic):
    """As a mutex (initially 1)."""

    def build(self):
        super().build()
        self.s = A(V(self.b.new_global("sm", "sem")))
        self.count = 2 if self.b.flaw() else 1

    def setup(self):
        return [Stmt("sinit", (self.s, K(self.count)))]

    def use(self, thread, index):
        b = self.b
        body = self.some(self.x)
        if b.flaw():
            return [Stmt("post", (self.s,))]
        if b.chance(0.15):
            r = b.fresh("s")
            return [Stmt("decl", (r, "int", K(0))), Stmt("trywait", (V(r), self.s)),
                    Stmt("if", (("bin", "==", V(r), K(0)),), body + [Stmt("post", (self.s,))])]
        return [Stmt("wait", (self.s,))] + body + [Stmt("post", (self.s,))]


class HandOff(Topic):
    """One thread writes and says so; the others wait, or look and leave. Semaphore, atomic flag or condition."""

    def build(self):
        super().build()
        b = self.b
        self.how = b.rng.choice(["sem", "flag", "flag", "spin", "cond"])
        self.writer = 0
        self.s = A(V(b.new_global("done", "sem" if self.how == "sem" else "int" if self.how == "cond" else "atomic")))
        if self.how == "cond":
            self.m, self.c = b.lock(), A(V(b.new_global("cv", "cond")))

    def setup(self):
        return [Stmt("sinit", (self.s, K(1 if self.b.flaw() else 0)))] if self.how == "sem" else []

    def use(self, thread, index):
        out = self.write() if thread == self.writer else self.read()
        return out

    def write(self):
        b = self.b
        body = self.some(self.x)
        if self.how == "sem":
            say = [Stmt("post", (self.s,))]
        elif self.how == "cond":
            say = [Stmt("lock", (self.m,)), Stmt("set", (self.s[1], K(1))), Stmt("signal", (self.c,)),
                   Stmt("unlock", (self.m,))]
        else:
            say = [Stmt("astore", (self.s, K(1)))]
        return say + body if b.flaw() else body + say

    def read(self):
        b = self.b
        body = self.some(self.x)
        if self.how == "sem":
            return [Stmt("wait", (self.s,))] + body
        if self.how == "spin":
            return [Stmt("await", (self.s, 1))] + body
        if self.how == "cond":
            wait = Stmt("while", (("!", self.s[1]),), [Stmt("cwait", (self.c, self.m))])
            if b.flaw():
                wait = Stmt("if", (("!", self.s[1]),), [Stmt("cwait", (self.c, self.m))])
            return [Stmt("lock", (self.m,)), wait, Stmt("unlock", (self.m,))] + body
        r = b.fresh("f")
        test = V(r) if not b.flaw() else ("!", V(r))
        return [Stmt("decl", (r, "int", K(0))), Stmt("aload", (V(r), self.s)), Stmt("if", (test,), body)]


class Ticket(Topic):
    """Whoever comes first (atomic counter, or a flag under a lock) owns the data."""

    def build(self):
        super().build()
        b = self.b
        self.atomic = b.chance(0.5)
        self.t = V(b.new_global("taken", "atomic" if self.atomic else "int"))
        self.m = b.lock()

    def use(self, thread, index):
        b = self.b
        r = b.fresh("own")
        body = self.some(self.x)
        first = Stmt("decl", (r, "int", K(0)))
        if self.atomic:
            op = b.rng.choice(["aadd", "axchg"])
            return [first, Stmt(op, (V(r), A(self.t), K(1))),
                    Stmt("if", (("bin", "==", V(r), K(1 if b.flaw() else 0)),), body)]
        claim = [Stmt("set", (V(r), ("!", self.t))), Stmt("set", (self.t, K(1)))]
        if b.flaw():
            return [first, Stmt("lock", (self.m,)), claim[0], Stmt("unlock", (self.m,)), Stmt("if", (V(r),), body)]
        return [first, Stmt("lock", (self.m,))] + claim + [Stmt("unlock", (self.m,)), Stmt("if", (V(r),), body)]


class FlagBits(Topic):
    """Whoever finds a bit of a word free takes it, works, and gives it back; others change the bits beside it."""

    def build(self):
        super().build()
        b = self.b
        self.w = V(b.new_global("word", "int", b.rng.choice([0, 0, 0, 8, 9])))
        self.bit = b.rng.choice([1, 2, 4])
        self.both = b.rng.choice([self.bit, self.bit, self.bit | 8])
        self.m = b.lock()
        self.keeps = b.chance(0.4)

    def change(self, op, mask):
        return Stmt("set", (self.w, ("bin", op, self.w, K(mask))))

    def beside(self):
        b = self.b
        mask = 16 if not b.flaw() else b.rng.choice([self.bit, self.both, 31])
        op = b.rng.choice("|&^")
        change = self.change(op, mask if op != "&" else ~mask)
        if b.flaw():
            change = b.rng.choice([Stmt("set", (self.w, K(16))), Stmt("inc", (self.w,)), self.change("*", 2)])
        return guarded(self.m, [change])

    def use(self, thread, index):
        b = self.b
        if b.chance(0.3):
            return self.beside()
        r = b.fresh("mine")
        asked = self.both if not b.flaw() else b.rng.choice([self.bit, 8, 16])
        free = ("bin", "==", ("bin", "&", self.w, K(asked)), K(0 if not b.flaw() else self.bit))
        if b.chance(0.3):
            free = ("!", ("bin", "&", self.w, K(asked)))
        take = Stmt("if", (V(r),), [self.change("|", self.bit if not b.flaw() else 8)])
        claim = [Stmt("set", (V(r), free)), take]
        out = [Stmt("decl", (r, "int", K(0)))]
        out += guarded(self.m, claim[:1]) + guarded(self.m, claim[1:]) if b.flaw() else guarded(self.m, claim)
        give = [] if self.keeps else guarded(self.m, [self.change("&", ~self.bit)])
        body = self.some(self.x)
        return out + [Stmt("if", (V(r),), give + body if b.flaw() else body + give)]


class SpinLock(Topic):
    def build(self):
        super().build()
        b = self.b
        self.l = A(V(b.new_global("sl", "atomic")))
        r = b.fresh("o")
        body = [Stmt("decl", (r, "int", K(1))), Stmt("while", (V(r),), [Stmt("axchg", (V(r), V("p"), K(1)))])]
        self.f = b.func("spin", [("p", ("ptr", "atomic"))], "void", body)

    def use(self, thread, index):
        if self.b.flaw():
            return self.some(self.x)
        return [Stmt("call", (None, self.f, [self.l]))] + self.some(self.x) + [Stmt("astore", (self.l, K(0)))]


class AtomicSection(Topic):
    def use(self, thread, index):
        body = self.some(self.x)
        return body if self.b.flaw() else [Stmt("abegin")] + body + [Stmt("aend")]


class DoubleChecked(Topic):
    """Initialised once under a lock, then read without it."""

    def build(self):
        super().build()
        b = self.b
        self.flag = V(b.new_global("ready", "int"))
        self.m = b.lock()

    def use(self, thread, index):
        b = self.b
        init = Stmt("if", (("!", self.flag),), [Stmt("set", (self.x, K(1))), Stmt("set", (self.flag, K(1)))])
        read = [Stmt("decl", (b.fresh("r"), "int", self.x))] if not b.flaw() else [Stmt("inc", (self.x,))]
        if b.flaw():
            return read
        return [Stmt("lock", (self.m,)), init, Stmt("unlock", (self.m,))] + read


class CondSplit(Topic):
    """Waiting gives the mutex up: what was read before may have changed, but nothing races."""

    def build(self):
        super().build()
        b = self.b
        self.m, self.c = b.lock(new=True), A(V(b.new_global("cv", "cond")))
        self.go = V(b.new_global("go", "int"))
        self.y = b.data("y")

    def use(self, thread, index):
        b = self.b
        if thread == 0:
            wake = guarded(self.m, [Stmt("set", (self.go, K(1))), self.touch(self.x), Stmt("broadcast", (self.c,))])
            return ([self.touch(self.y)] if b.chance(0.5) else []) + wake + ([self.touch(self.y)] if b.flaw() else [])
        r = b.fresh("r")
        wait = Stmt("cwait", (self.c, self.m))
        loop = Stmt("while" if not b.flaw() else "if", (("!", self.go),), [wait])
        tail = [self.touch(self.y)] if b.chance(0.3) else []
        return [Stmt("lock", (self.m,)), Stmt("decl", (r, "int", self.x)), loop, self.touch(self.x),
                Stmt("unlock", (self.m,))] + tail


class LastOut(Topic):
    """Each writes its own cell, counts itself, and the last one reads all."""
    needs_index = True

    def build(self):
        b = self.b
        self.d = V(b.new_global("part", ("arr", 3, "int")))
        self.n = V(b.new_global("finished", "atomic"))
        self.team = b.rng.choice([2, 2, 3])

    def bare(self):
        return [self.touch(("ix", self.d, K(self.b.rng.randrange(3))))]

    def use(self, thread, index):
        b = self.b
        r, i = b.fresh("r"), b.fresh("i")
        last = self.team - 1 - (1 if b.flaw() else 0)
        return [self.touch(("ix", self.d, index)), Stmt("decl", (r, "int", K(0))),
                Stmt("aadd", (V(r), A(self.n), K(1))),
                Stmt("if", (("bin", "==", V(r), K(last)),),
                     [Stmt("for", (i, 3), [Stmt("inc", (("ix", self.d, V(i)),))])])]


class TestThenSet(Topic):
    """A lock made of a load and a store: wrong; with exchange: right. Or a flag that only says 'stop'."""

    def build(self):
        super().build()
        self.l = A(V(self.b.new_global("busy", "atomic")))

    def use(self, thread, index):
        b = self.b
        r = b.fresh("o")
        take = [Stmt("axchg", (V(r), self.l, K(1)))] if not b.flaw() else [Stmt("aload", (V(r), self.l)),
                                                                           Stmt("astore", (self.l, K(1)))]
        back = [Stmt("astore", (self.l, K(0)))] if b.chance(0.7) else []
        return [Stmt("decl", (r, "int", K(0)))] + take + [Stmt("if", (("bin", "==", V(r), K(0)),),
                                                               [self.touch(self.x)] + back)]


class Phase(Topic):
    """A state variable under a lock says whose turn it is; the data itself is touched outside."""

    def build(self):
        super().build()
        b = self.b
        self.p, self.m = V(b.new_global("phase", "int")), b.lock()

    def use(self, thread, index):
        b = self.b
        r = b.fresh("ph")
        if thread == 0:
            mine, then = [self.touch(self.x)], guarded(self.m, [Stmt("set", (self.p, K(1)))])
            return then + mine if b.flaw() else mine + then
        level = 0 if b.flaw() else 1
        claim = [Stmt("set", (V(r), self.p)),
                 Stmt("if", (("bin", "==", V(r), K(level)),), [Stmt("set", (self.p, K(2)))])]
        return [Stmt("decl", (r, "int", K(0)))] + guarded(self.m, claim) + [
            Stmt("if", (("bin", "==", V(r), K(level)),), [self.touch(self.x)])]


class Once(Topic):
    def build(self):
        super().build()
        b = self.b
        self.o = A(V(b.new_global("once", "once")))
        self.f = b.func("init", [], "void", [Stmt("set", (self.x, K(1)))])

    def use(self, thread, index):
        b = self.b
        read = Stmt("decl", (b.fresh("r"), "int", self.x)) if not b.flaw() else Stmt("inc", (self.x,))
        return [read] if b.flaw() else [Stmt("once", (self.o, self.f)), read]


class Barrier(Topic):
    needs_index = True

    def build(self):
        b = self.b
        self.bar = A(V(b.new_global("bar", "barrier")))
        self.d = V(b.new_global("d", ("arr", 3, "int")))
        self.n = b.rng.choice([2, 2, 2, 3])

    def setup(self):
        return [Stmt("binit", (self.bar, K(self.n)))]

    def bare(self):
        return [self.touch(("ix", self.d, K(self.b.rng.randrange(2))))]

    def use(self, thread, index):
        b = self.b
        if thread == 9:
            return []
        wait = [] if b.flaw() else [Stmt("barrier", (self.bar,))]
        return [self.touch(("ix", self.d, index))] + wait + [Stmt("decl",
            (b.fresh("r"), "int", ("ix", self.d, K(b.rng.randrange(2)))))]


class PingPong(Topic):
    """Two semaphores pass the data to and fro."""

    def build(self):
        super().build()
        b = self.b
        self.s, self.t = A(V(b.new_global("ping", "sem"))), A(V(b.new_global("pong", "sem")))

    def setup(self):
        return [Stmt("sinit", (self.s, K(0))), Stmt("sinit", (self.t, K(1 if self.b.flaw() else 0)))]

    def use(self, thread, index):
        b = self.b
        if thread == 0:
            out = [self.touch(self.x), Stmt("post", (self.s,)), Stmt("wait", (self.t,)), self.touch(self.x)]
        elif thread == 1:
            out = [Stmt("wait", (self.s,)), self.touch(self.x), Stmt("post", (self.t,))]
        else:
            return []
        if b.flaw():
            del out[b.rng.randrange(len(out))]
        return out


TOPICS = {  # name: (class, weight)
    "sem": (Semaphore, 2), "handoff": (HandOff, 3), "ticket": (Ticket, 2), "spin": (SpinLock, 1),
    "section": (AtomicSection, 1), "once": (DoubleChecked, 1), "condsplit": (CondSplit, 2),
    "lastout": (LastOut, 1), "testset": (TestThenSet, 1), "phase": (Phase, 2), "ponce": (Once, 1),
    "barrier": (Barrier, 1), "pingpong": (PingPong, 1), "flagbits": (FlagBits, 1),
}
