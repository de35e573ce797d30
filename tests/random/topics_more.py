# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More topics: indirection, control flow around locks, phases and rarer library calls."""

from lang import Stmt
from topics import A, K, V, Topic

MP = ("ptr", "mutex")
IP = ("ptr", "int")


def guarded(m, body):
    return [Stmt("lock", (m,))] + body + [Stmt("unlock", (m,))]


class Jobs(Topic):
    """Structs that pair a lock pointer with a data pointer; used in place, by pointer or copied."""
    needs_index = True

    def build(self):
        b = self.b
        self.x, self.y = V(b.new_global("x", "int")), V(b.new_global("y", "int"))
        self.m0, self.m1 = A(V(b.mutex())), A(V(b.mutex(new=True)))
        self.s = b.struct("job", [("m", MP), ("d", IP)])
        self.jobs = V(b.new_global("jobs", ("arr", 3, ("struct", self.s))))

    def setup(self):
        b, out = self.b, []
        for i in range(3):
            d = b.rng.choice([self.x, self.y])
            m = self.m0 if (d == self.x) != b.flaw() else self.m1
            at = ("ix", self.jobs, K(i))
            out += [Stmt("set", ((".", at, "m"), m)), Stmt("set", ((".", at, "d"), A(d)))]
        return out

    def use(self, thread, index):
        b = self.b
        i = index if b.chance(0.7) else K(b.rng.randrange(3))
        at = ("ix", self.jobs, i)
        how = b.rng.choice(["place", "pointer", "copy"])
        pre = []
        if how == "pointer":
            p = b.fresh("jp")
            pre, fld = [Stmt("decl", (p, ("ptr", ("struct", self.s)), A(at)))], lambda f: ("->", V(p), f)
        elif how == "copy":
            p = b.fresh("jc")
            pre = [Stmt("decl", (p, ("struct", self.s), None)), Stmt("set", (V(p), at))]
            fld = lambda f: (".", V(p), f)
        else:
            fld = lambda f: (".", at, f)
        body = [self.touch(("*", fld("d")))]
        return pre + (body if b.flaw() else guarded(fld("m"), body))


class MainLocal(Topic):
    """A local of main that the threads reach by a pointer."""

    def build(self):
        b = self.b
        self.name = b.fresh("mine")
        self.gp = V(b.new_global("gp", IP, ("null",)))
        self.m = A(V(b.mutex()))

    def setup(self):
        return [Stmt("decl", (self.name, "int", K(0))), Stmt("set", (self.gp, A(V(self.name))))]

    def bare(self):
        return [self.touch(("*", self.gp))]

    def use(self, thread, index):
        body = self.some(("*", self.gp))
        return body if self.b.flaw() else guarded(self.m, body)


class Factory(Topic):
    """Two objects from one allocation site, each with its own lock."""

    def build(self):
        b = self.b
        self.s = b.struct("item", [("m", "mutex"), ("v", "int")])
        t = ("struct", self.s)
        n = b.fresh("made")
        self.make = b.func("make", [], ("ptr", t), [
            Stmt("decl", (n, ("ptr", t), ("null",))), Stmt("calloc", (V(n), t)), Stmt("minit", (A(("->", V(n), "m")),)),
            Stmt("return", (V(n),))])
        self.p, self.q = (V(b.new_global(k, ("ptr", t), ("null",))) for k in ("pa", "pb"))
        self.f = b.func("poke", [("o", ("ptr", t)), ("w", ("ptr", t))], "void",
                        guarded(A(("->", V("o"), "m")), [Stmt("inc", (("->", V("w"), "v"),))]))

    def setup(self):
        b = self.b
        out = [Stmt("call", (self.p, self.make, [])), Stmt("call", (self.q, self.make, []))]
        return out + ([Stmt("set", (self.q, self.p))] if b.chance(0.2) else [])

    def bare(self):
        return [self.touch(("->", self.b.rng.choice([self.p, self.q]), "v"))]

    def use(self, thread, index):
        b = self.b
        o = b.rng.choice([self.p, self.q])
        w = o if not b.flaw() else b.rng.choice([self.p, self.q])
        if b.chance(0.4):
            return [Stmt("call", (None, self.f, [o, w]))]
        return guarded(A(("->", o, "m")), self.some(("->", w, "v")))


class OddFlow(Topic):
    """Locks taken and released in unusual places of the control flow."""

    def build(self):
        super().build()
        b = self.b
        self.m = A(V(b.mutex()))
        self.rec = b.func("again", [("n", "int")], "void", [])
        body = guarded(self.m, self.some(self.x))
        b.prog.funcs[self.rec].body = [Stmt("if", (("bin", ">", V("n"), K(0)),), body + [
            Stmt("call", (None, self.rec, [("bin", "-", V("n"), K(1))]))])]
        self.get = b.func("get", [("c", "int")], "int", [
            Stmt("if", (V("c"),), [Stmt("lock", (self.m,)), Stmt("return", (K(1),))]), Stmt("return", (K(0),))])
        self.out = b.func("give_lock", [("o", ("ptr", MP))], "void", [Stmt("set", (("*", V("o")), self.m))])

    def use(self, thread, index):
        b = self.b
        return b.rng.choice([self.first_round, self.recursion, self.loop_break, self.status, self.out_parameter,
                             self.hand_over, self.early, self.relock])()

    def first_round(self):
        b = self.b
        i = b.fresh("i")
        last = 1 if not b.flaw() else 0
        body = [self.touch(self.x)]
        return [Stmt("for", (i, 2), [Stmt("if", (("bin", "==", V(i), K(0)),), [Stmt("lock", (self.m,))])] + (
            body if last else [Stmt("if", (("bin", "==", V(i), K(0)),), [Stmt("unlock", (self.m,))])] + body) + (
            [Stmt("if", (("bin", "==", V(i), K(1)),), [Stmt("unlock", (self.m,))])] if last else []))]

    def recursion(self):
        return [Stmt("call", (None, self.rec, [K(self.b.rng.choice([1, 2]))]))]

    def loop_break(self):
        b = self.b
        un = Stmt("unlock", (self.m,))
        test = Stmt("if", (("bin", ">", self.x, K(b.rng.choice([0, 1]))),), [un, Stmt("break")] if not b.flaw() else [un])
        i = b.fresh("i")
        rest = [self.touch(self.x), Stmt("unlock", (self.m,))]
        if test.body[-1].op != "break":  # released on one path only, then touched
            return [Stmt("lock", (self.m,)), Stmt("if", test.args, [un], [self.touch(self.x), un]), self.touch(self.x)]
        return [Stmt("for", (i, 2), [Stmt("lock", (self.m,)), test] + rest)]

    def status(self):
        b = self.b
        c, r = b.fresh("c"), b.fresh("s")
        body = [Stmt("if", (V(r),), [self.touch(self.x), Stmt("unlock", (self.m,))])]
        if b.flaw():
            body = [self.touch(self.x), Stmt("if", (V(r),), [Stmt("unlock", (self.m,))])]
        return [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)), Stmt("decl", (r, "int", K(0))),
                Stmt("call", (V(r), self.get, [V(c)]))] + body

    def out_parameter(self):
        b = self.b
        p = b.fresh("op")
        first = A(V(b.mutex(new=True))) if b.flaw() else self.m
        call = Stmt("call", (None, self.out, [A(V(p))]))
        if first != self.m:
            return [Stmt("decl", (p, MP, first)), Stmt("lock", (V(p),)), self.touch(self.x), Stmt("unlock", (V(p),)), call]
        return [Stmt("decl", (p, MP, ("null",))), call, Stmt("lock", (V(p),)), self.touch(self.x), Stmt("unlock", (V(p),))]

    def hand_over(self):
        b = self.b
        p, q = b.fresh("op"), b.fresh("oq")
        other = A(V(b.mutex(new=True)))
        return [Stmt("decl", (p, MP, self.m)), Stmt("lock", (V(p),)), Stmt("decl", (q, MP, V(p))), Stmt("set", (V(p), other)),
                self.touch(self.x), Stmt("unlock", (V(q),))] + ([self.touch(self.x)] if b.flaw() else [])

    def early(self):
        b = self.b
        c = b.fresh("c")
        leave = [Stmt("unlock", (self.m,)), Stmt("return", (None,))]
        name = b.func("early", [], "void", [
            Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)), Stmt("lock", (self.m,)),
            Stmt("if", (V(c),), leave if not b.flaw() else [Stmt("unlock", (self.m,)), self.touch(self.x), leave[1]]),
            self.touch(self.x), Stmt("unlock", (self.m,))])
        return [Stmt("call", (None, name, []))]

    def relock(self):
        gap = [self.touch(self.x)] if self.b.flaw() else []
        return guarded(self.m, [self.touch(self.x)]) + gap + guarded(self.m, [self.touch(self.x)])


class CondSplit(Topic):
    """Waiting gives the mutex up: what was read before may have changed, but nothing races."""

    def build(self):
        super().build()
        b = self.b
        self.m, self.c = A(V(b.mutex(new=True))), A(V(b.new_global("cv", "cond")))
        self.go = V(b.new_global("go", "int"))
        self.y = V(b.new_global("y", "int"))

    def use(self, thread, index):
        b = self.b
        if thread == 0:
            wake = guarded(self.m, [Stmt("set", (self.go, K(1))), self.touch(self.x), Stmt("broadcast", (self.c,))])
            return ([self.touch(self.y)] if b.chance(0.5) else []) + wake + ([self.touch(self.y)] if b.flaw() else [])
        r = b.fresh("r")
        wait = Stmt("cwait", (self.c, self.m))
        loop = Stmt("while" if not b.flaw() else "if", (("!", self.go),), [wait])
        tail = [self.touch(self.y)] if b.chance(0.3) else []
        return [Stmt("lock", (self.m,)), Stmt("decl", (r, "int", self.x)), loop, self.touch(self.x), Stmt("unlock", (self.m,))] + tail


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
        return [self.touch(("ix", self.d, index)), Stmt("decl", (r, "int", K(0))), Stmt("aadd", (V(r), A(self.n), K(1))),
                Stmt("if", (("bin", "==", V(r), K(last)),), [Stmt("for", (i, 3), [Stmt("inc", (("ix", self.d, V(i)),))])])]


class TestThenSet(Topic):
    """A lock made of a load and a store: wrong; with exchange: right. Or a flag that only says 'stop'."""

    def build(self):
        super().build()
        self.l = A(V(self.b.new_global("busy", "atomic")))

    def use(self, thread, index):
        b = self.b
        r = b.fresh("o")
        take = [Stmt("axchg", (V(r), self.l, K(1)))] if not b.flaw() else [Stmt("aload", (V(r), self.l)), Stmt("astore", (self.l, K(1)))]
        back = [Stmt("astore", (self.l, K(0)))] if b.chance(0.7) else []
        return [Stmt("decl", (r, "int", K(0)))] + take + [Stmt("if", (("bin", "==", V(r), K(0)),), [self.touch(self.x)] + back)]


class Phase(Topic):
    """A state variable under a lock says whose turn it is; the data itself is touched outside."""

    def build(self):
        super().build()
        b = self.b
        self.p, self.m = V(b.new_global("phase", "int")), A(V(b.mutex()))

    def use(self, thread, index):
        b = self.b
        r = b.fresh("ph")
        if thread == 0:
            mine, then = [self.touch(self.x)], guarded(self.m, [Stmt("set", (self.p, K(1)))])
            return then + mine if b.flaw() else mine + then
        level = 0 if b.flaw() else 1
        claim = [Stmt("set", (V(r), self.p)), Stmt("if", (("bin", "==", V(r), K(level)),), [Stmt("set", (self.p, K(2)))])]
        return [Stmt("decl", (r, "int", K(0)))] + guarded(self.m, claim) + [
            Stmt("if", (("bin", "==", V(r), K(level)),), [self.touch(self.x)])]


class ById(Topic):
    """The argument decides who may touch what."""
    needs_index = True

    def build(self):
        super().build()
        self.m = A(V(self.b.mutex()))
        self.d = V(self.b.new_global("d", ("arr", 4, "int")))

    def use(self, thread, index):
        b = self.b
        how = b.rng.randrange(4)
        if how == 0:
            return [Stmt("if", (("bin", "==", index, K(0 if not b.flaw() else 1)),), [self.touch(self.x)])]
        if how == 1:
            low = [self.touch(("ix", self.d, ("bin", "+", index, K(1 if b.flaw() else 0))))]
            return low
        if how == 2:
            at = ("ix", self.d, ("bin", "%", index, K(2)))
            return guarded(self.m, [self.touch(at)]) if not b.flaw() else [self.touch(at)]
        p = b.fresh("ap")
        return [Stmt("decl", (p, IP, A(("ix", self.d, index)))), self.touch(("ix", V(p), K(1 if b.flaw() else 0)))]


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
        return [self.touch(("ix", self.d, index))] + wait + [Stmt("decl", (b.fresh("r"), "int", ("ix", self.d, K(b.rng.randrange(2)))))]


class Recursive(Topic):
    def build(self):
        super().build()
        self.m = A(V(self.b.new_global("rm", "rmutex")))

    def use(self, thread, index):
        b = self.b
        lock, unlock = Stmt("lock", (self.m,)), Stmt("unlock", (self.m,))
        body = [self.touch(self.x)]
        if b.flaw():
            return [lock, lock, unlock, unlock] + body
        return b.rng.choice([[lock, lock, unlock] + body + [unlock], [lock] + body + [unlock], [lock, lock] + body + [unlock, unlock]])


class FnPointer(Topic):
    """The access, or the locking, is behind a function pointer."""

    def build(self):
        super().build()
        b = self.b
        self.m = A(V(b.mutex()))
        self.good = b.func("careful", [], "void", guarded(self.m, [self.touch(self.x)]))
        self.bad = b.func("careless", [], "void", [self.touch(self.x)])
        self.fp = V(b.new_global("fp", ("fn",), ("f", self.good)))

    def setup(self):
        return [Stmt("set", (self.fp, ("f", self.bad)))] if self.b.flaw() else []

    def use(self, thread, index):
        b = self.b
        k = b.rng.randrange(3)
        if k == 0:
            return [Stmt("icall", (self.fp,))]
        if k == 1:
            return guarded(self.m, [Stmt("call", (None, self.bad, []))])
        p = b.fresh("f")
        if b.chance(0.5):
            return [Stmt("decl", (p, ("fn",), ("f", self.bad))), Stmt("lock", (self.m,)), Stmt("icall", (V(p),)), Stmt("unlock", (self.m,))]
        return [Stmt("decl", (p, ("fn",), ("f", self.good if not b.flaw() else self.bad))), Stmt("icall", (V(p),))]


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


class Lists(Topic):
    """Nodes pushed on a list under a lock, walked under it."""

    def build(self):
        b = self.b
        s = b.fresh("cell")
        self.t = ("ptr", ("struct", s))
        b.prog.structs[s] = [("v", "int"), ("next", self.t)]
        self.s = s
        self.head, self.m = V(b.new_global("head", self.t, ("null",))), A(V(b.mutex()))

    def bare(self):
        return [Stmt("if", (("bin", "!=", self.head, ("null",)),), [self.touch(("->", self.head, "v"))])]

    def use(self, thread, index):
        b = self.b
        p = b.fresh("n")
        if b.chance(0.5):
            link = [Stmt("set", (("->", V(p), "next"), self.head)), Stmt("set", (self.head, V(p)))]
            fill = [Stmt("decl", (p, self.t, ("null",))), Stmt("calloc", (V(p), ("struct", self.s))), Stmt("set", (("->", V(p), "v"), K(1)))]
            return fill + guarded(self.m, link) + ([Stmt("inc", (("->", V(p), "v"),))] if b.flaw() else [])
        walk = Stmt("while", (("bin", "!=", V(p), ("null",)),), [self.touch(("->", V(p), "v")), Stmt("set", (V(p), ("->", V(p), "next")))])
        get = [Stmt("decl", (p, self.t, ("null",))), Stmt("lock", (self.m,)), Stmt("set", (V(p), self.head))]
        return get + ([Stmt("unlock", (self.m,)), walk] if b.flaw() else [walk, Stmt("unlock", (self.m,))])


class Owner(Topic):
    """Taking an object out of a shared slot makes it private."""

    def build(self):
        b = self.b
        self.x = V(b.new_global("x", "int"))
        self.slot, self.m = V(b.new_global("slot", IP, A(self.x))), A(V(b.mutex()))

    def use(self, thread, index):
        b = self.b
        p = b.fresh("mine")
        clear = [] if b.flaw() else [Stmt("set", (self.slot, ("null",)))]
        take = [Stmt("decl", (p, IP, ("null",)))] + guarded(self.m, [Stmt("set", (V(p), self.slot))] + clear)
        back = guarded(self.m, [Stmt("set", (self.slot, V(p)))]) if b.chance(0.6) else []
        late = [self.touch(("*", V(p)))] if b.flaw() else []
        return take + [Stmt("if", (("bin", "!=", V(p), ("null",)),), [self.touch(("*", V(p)))] + back + late)]


MORE = {
    "jobs": (Jobs, 3), "mainlocal": (MainLocal, 2), "factory": (Factory, 3), "oddflow": (OddFlow, 5), "condsplit": (CondSplit, 2),
    "lastout": (LastOut, 1), "testset": (TestThenSet, 1), "phase": (Phase, 2), "byid": (ById, 3), "ponce": (Once, 1),
    "barrier": (Barrier, 1), "recursive": (Recursive, 2), "fnptr": (FnPointer, 2), "pingpong": (PingPong, 1), "list": (Lists, 2),
    "owner": (Owner, 2),
}
