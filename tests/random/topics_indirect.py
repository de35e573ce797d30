# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Topics where a value decides what is locked or touched: jobs, selectors changed by others, pointer arguments."""

from lang import Stmt
from topic import A, IP, K, MP, V, Topic, guarded


class Jobs(Topic):
    """Structs that pair a lock pointer with a data pointer; used in place, by pointer or copied."""
    needs_index = True

    def build(self):
        b = self.b
        self.x, self.y = V(b.new_global("x", "int")), V(b.new_global("y", "int"))
        self.m0, self.m1 = b.lock(), b.lock(new=True)
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


class Interference(Topic):
    """What a thread locks or touches depends on a value that another one may change under a lock, or atomically."""

    def build(self):
        b = self.b
        self.x, self.y = b.data("x"), b.data("y")
        self.g, self.m0, self.m1 = b.lock(new=True), b.lock(new=True), b.lock(new=True)
        self.kind = b.rng.choice(["lockptr", "dataptr", "flag", "index", "atomic", "field"])
        first = {"lockptr": (MP, self.m0), "dataptr": (IP, A(self.x)), "atomic": ("atomic", 0)}.get(self.kind,
                                                                                                    ("int", 0))
        if not isinstance(first[1], int) and not (first[1][0] == "&" and first[1][1][0] == "v"):
            first = (first[0], ("null",))
        self.init = first[1] == ("null",)
        self.v = V(b.new_global("sel", *first))
        self.locks = V(b.new_global("lk", ("arr", 2, "mutex")))

    def setup(self):
        if not self.init:
            return []
        return [Stmt("set", (self.v, self.m0 if self.kind == "lockptr" else A(self.x)))]

    def new_value(self):
        return {"lockptr": self.m1, "dataptr": A(self.y)}.get(self.kind, K(self.b.rng.choice([1, 1, 0])))

    def change(self):
        if self.kind == "atomic":
            return [Stmt("astore", (A(self.v), self.new_value()))]
        return guarded(self.g, [Stmt("set", (self.v, self.new_value()))])

    def use(self, thread, index):
        b = self.b
        if b.chance(0.3) and (self.b.flaw_rate or thread == 0):
            return self.change()
        r = b.fresh("sv")
        t = {"lockptr": MP, "dataptr": IP}.get(self.kind, "int")
        zero = ("null",) if t != "int" else K(0)
        get = [Stmt("aload", (V(r), A(self.v)))] if self.kind == "atomic" else guarded(self.g,
                                                                                       [Stmt("set", (V(r), self.v))])
        return [Stmt("decl", (r, t, zero))] + get + self.act(V(r))

    def act(self, r):
        b = self.b
        if self.kind == "lockptr":
            return guarded(r, [self.touch(self.x)])
        if self.kind == "dataptr":
            return guarded(self.m0, [self.touch(("*", r))]) if b.chance(0.6) else [Stmt("decl", (b.fresh("r"), "int",
                                                                                                 ("*", r)))]
        if self.kind == "index":
            return guarded(A(("ix", self.locks, r)), [self.touch(self.x)])
        if b.chance(0.5):
            return [Stmt("if", (r,), [Stmt("lock", (self.m0,))]),
                    Stmt("if", (r,) if b.chance(0.7) else (("!", r),), [self.touch(self.x)]),
                    Stmt("if", (r,), [Stmt("unlock", (self.m0,))])]
        low = b.rng.choice([K(0), K(1)])
        return [Stmt("if", (("bin", "==", r, low),), guarded(self.m0, [self.touch(self.x)]), [self.touch(self.y)]
                     if b.chance(0.4) else [])]


class TwoReads(Topic):
    """A shared switch is read twice; between the two reads it may have changed."""

    def build(self):
        super().build()
        b = self.b
        self.g, self.m = b.lock(new=True), b.lock(new=True)
        self.sw = V(b.new_global("sw", "int", b.rng.choice([0, 1])))

    def use(self, thread, index):
        b = self.b
        if b.chance(0.35):
            return guarded(self.g, [Stmt("set", (self.sw, K(b.rng.choice([0, 1]))))])
        c, d = b.fresh("c"), b.fresh("c")
        read = lambda v: [Stmt("decl", (v, "int", K(0)))] + guarded(self.g, [Stmt("set", (V(v), self.sw))])
        test = V(d) if b.chance(0.5) else V(c)
        body = [Stmt("if", (V(c),), [Stmt("lock", (self.m,))]), Stmt("if", (test,), [self.touch(self.x)]),
                Stmt("if", (V(c),), [Stmt("unlock", (self.m,))])]
        return read(c) + read(d) + body


class ArgPointer(Topic):
    """Workers of their own that get a pointer: to a global, a heap object, an element, a local of the creator."""

    def build(self):
        b = self.b
        self.m = b.lock()
        body = [self.touch(("*", V("p"))), self.touch(("*", V("p")))]
        self.guard = b.chance(0.4)
        self.entry = b.func("worker", [("p", IP)], "entry", guarded(self.m, body) if self.guard else body)
        self.arr = V(b.new_global("cells", ("arr", 2, "int")))
        self.x = ("ix", self.arr, K(0))
        self.done = False

    def setup(self):
        b = self.b
        self.done = True
        how = b.rng.choice(["element", "local", "heap", "loop", "heaploop"])
        h, g, a, c, i = b.fresh("w"), b.fresh("w"), b.fresh("a"), b.fresh("a"), b.fresh("i")
        handles = [Stmt("decl", (h, "thread", None)), Stmt("decl", (g, "thread", None))]
        if how in ("loop", "heaploop"):
            hs = b.fresh("ws")
            at = ("ix", self.arr, V(i) if not b.flaw() else K(0))
            make = [Stmt("create", (("ix", V(hs), V(i)), self.entry, A(at)))]
            if how == "heaploop":
                make = [Stmt("decl", (a, IP, ("null",))), Stmt("calloc", (V(a), "int")),
                        Stmt("set", (("*", V(a)), K(1))),
                        Stmt("create", (("ix", V(hs), V(i)), self.entry, V(a)))] + ([self.touch(("*", V(a)))]
                                                                                    if b.flaw() else [])
            j = b.fresh("i")
            return [Stmt("decl", (hs, ("arr", 2, "thread"), None)), Stmt("for", (i, 2), make),
                    Stmt("for", (j, 2), [Stmt("join", (("ix", V(hs), V(j)),))])]
        pre, one, two = [], A(("ix", self.arr, K(0))), A(("ix", self.arr, K(0 if b.flaw() else 1)))
        if how == "local":
            pre, one = [Stmt("decl", (a, "int", K(0))), Stmt("decl", (c, "int", K(0)))], A(V(a))
            two = A(V(a if b.flaw() else c))
        if how == "heap":
            pre = [Stmt("decl", (a, IP, ("null",))), Stmt("calloc", (V(a), "int")), Stmt("decl", (c, IP, ("null",))),
                   Stmt("calloc", (V(c), "int"))]
            one, two = V(a), V(a if b.flaw() else c)
        same = [self.touch(("*", one) if one[0] == "v" else one[1])]
        out = pre + handles + [Stmt("create", (V(h), self.entry, one)), Stmt("create", (V(g), self.entry, two))]
        if b.flaw():
            out += same
        out.append(Stmt("join", (V(h),)))
        if b.chance(0.5):
            out += same
        return out + [Stmt("join", (V(g),))] + same

    def use(self, thread, index):
        return guarded(self.m, [self.touch(self.x)])


class Chunks(Topic):
    """Each thread has its part of an array: blocks of a constant or unknown width, or every so-manieth element."""
    needs_index = True

    def build(self):
        b = self.b
        self.d = V(b.new_global("part", ("arr", 9, "int")))
        self.width = V(b.new_global("width", "int")) if b.chance(0.5) else K(2)
        self.strided = b.chance(0.3)

    def setup(self):
        if self.width[0] == "k":
            return []
        w = self.b.fresh("win")
        return [Stmt("decl", (w, "int", K(0))), Stmt("range", (V(w), 1, 2)), Stmt("set", (self.width, V(w)))]

    def bare(self):
        return [self.touch(("ix", self.d, K(self.b.rng.randrange(4))))]

    def use(self, thread, index):
        b = self.b
        i = b.fresh("i")
        body = [self.touch(("ix", self.d, V(i)))]
        if self.strided:
            return [Stmt("span", (i, index if not b.flaw() else K(0), K(8), 3 if not b.flaw() else 2), body)]
        low = ("bin", "*", index, self.width)
        high = ("bin", "+", low, self.width) if b.chance(0.5) else ("bin", "*", ("bin", "+", index, K(1)), self.width)
        if b.flaw():
            high = ("bin", "+", high, K(1))
        if b.flaw():
            low = ("bin", "*", index, K(1))
        return [Stmt("span", (i, low, high, 1), body)]


TOPICS = {  # name: (class, weight)
    "jobs": (Jobs, 3), "interfere": (Interference, 5), "tworeads": (TwoReads, 2), "argptr": (ArgPointer, 3),
    "chunks": (Chunks, 3),
}
