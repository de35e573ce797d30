# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Topics about what is shared: heap objects, private data, bulk accesses, aliases, lists, arguments."""

from lang import Global, Stmt
from topic import A, IP, K, V, Topic, guarded


class Heap(Topic):
    """An object made by main or by the thread; shared by a global pointer, guarded by a lock."""

    def build(self):
        b = self.b
        self.s = b.struct("node", [("m", "mutex"), ("v", "int")] if b.chance(0.5) else [("v", "int"), ("w", "int")])
        self.own_lock = self.prog_fields()[0][0] == "m"
        self.t = ("struct", self.s)
        self.gp = V(b.new_global("hp", ("ptr", self.t), ("null",)))
        self.m = b.lock()
        self.by_main = self.own_lock or b.chance(0.5)

    def prog_fields(self):
        return self.b.prog.structs[self.s]

    def setup(self):
        if not self.by_main:
            return []
        out = [Stmt("calloc", (self.gp, self.t))]
        if self.own_lock:
            out.append(Stmt("minit", (A(("->", self.gp, "m")),)))
        return out

    def bare(self):
        return [Stmt("if", (("bin", "!=", self.gp, ("null",)),), [self.touch(("->", self.gp, "v"))])]

    def use(self, thread, index):
        b = self.b
        if self.by_main:
            m = A(("->", self.gp, "m")) if self.own_lock else self.m
            body = self.some(("->", self.gp, "v"))
            return [Stmt("lock", (m,))] + body + [Stmt("unlock", (m,))] if not b.flaw() else body
        p = b.fresh("n")
        lock, unlock = Stmt("lock", (self.m,)), Stmt("unlock", (self.m,))
        if b.chance(0.5):  # make, fill, publish
            out = [Stmt("decl", (p, ("ptr", self.t), ("null",))), Stmt("calloc", (V(p), self.t)),
                   self.touch(("->", V(p), "v")),
                   lock, Stmt("set", (self.gp, V(p))), unlock]
            return out + ([self.touch(("->", V(p), "v"))] if b.flaw() else [])
        use = Stmt("if", (("bin", "!=", V(p), ("null",)),), [self.touch(("->", V(p), "v"))])
        get = [Stmt("decl", (p, ("ptr", self.t), ("null",))), lock, Stmt("set", (V(p), self.gp))]
        return get + ([unlock, use] if b.flaw() else [use, unlock])


class Private(Topic):
    """Thread-local storage, locals, own heap; sometimes the address escapes."""

    def build(self):
        b = self.b
        self.x = V(b.new_global("tl", "int", 0, "tls"))
        self.leak = V(b.new_global("lk_ptr", ("ptr", "int"), ("null",)))
        self.leaks = b.chance(0.4)
        self.m = b.lock()

    def setup(self):
        return [Stmt("set", (self.leak, A(self.x)))] if self.leaks else []

    def use(self, thread, index):
        b = self.b
        if self.leaks and b.chance(0.5):
            body = [self.touch(("*", self.leak))]
            return [Stmt("lock", (self.m,))] + body + [Stmt("unlock", (self.m,))] if not b.flaw() else body
        if thread == 9:
            return []
        if b.chance(0.5):
            return self.some(self.x)
        n = b.fresh("loc")
        p = b.fresh("q")
        return [Stmt("decl", (n, "int", K(0))), Stmt("decl", (p, ("ptr", "int"), A(V(n)))), self.touch(("*", V(p)))]


class Bulk(Topic):
    """memset, memcpy and struct copies are accesses too."""

    def build(self):
        b = self.b
        self.s = b.struct("pair", [("a", "int"), ("b", "int")])
        self.g, self.h = V(b.new_global("u", ("struct", self.s))), V(b.new_global("w", ("struct", self.s)))
        self.arr = V(b.new_global("arr", ("arr", 4, "int")))
        self.m = b.lock()

    def bare(self):
        return [self.op()]

    def op(self):
        b = self.b
        k = b.rng.randrange(6)
        if k == 0:
            return Stmt("set", (self.g, self.h))
        if k == 1:
            return Stmt("memset", (A(("ix", self.arr, K(b.rng.randrange(2)))), b.rng.choice([1, 2])))
        if k == 2:
            return Stmt("memcpy", (A(("ix", self.arr, K(0))), A(("ix", self.arr, K(2))), 2))
        if k == 3:
            return self.touch(("ix", self.arr, K(b.rng.randrange(4))))
        if k == 4:
            return Stmt("memset", (A((".", self.g, "a")), 2))
        return self.touch((".", b.rng.choice([self.g, self.h]), b.rng.choice(["a", "b"])))

    def use(self, thread, index):
        body = [self.op() for _ in range(self.b.rng.choice([1, 2]))]
        return [Stmt("lock", (self.m,))] + body + [Stmt("unlock", (self.m,))] if not self.b.flaw() else body


class StaticLocal(Topic):
    def build(self):
        b = self.b
        self.m = b.lock()
        name = b.fresh("count")
        self.inner = b.chance(0.5)
        inc = [Stmt("inc", (V(name),))]
        body = [Stmt("lock", (self.m,))] + inc + [Stmt("unlock", (self.m,))] if self.inner else inc
        self.f = b.func("next", [], "void", body)
        b.prog.globals[name] = Global("int", 0, "in:" + self.f)

    def bare(self):
        return [Stmt("call", (None, self.f, []))]

    def use(self, thread, index):
        call = [Stmt("call", (None, self.f, []))]
        if self.inner or self.b.flaw():
            return call
        return [Stmt("lock", (self.m,))] + call + [Stmt("unlock", (self.m,))]


class PointerAlias(Topic):
    """The data is reached through pointers that may or may not name the guarded variable."""

    def build(self):
        b = self.b
        self.x, self.y = V(b.new_global("x", "int")), V(b.new_global("y", "int"))
        self.p = V(b.new_global("ip", ("ptr", "int"), A(self.x)))
        self.m = b.lock()

    def setup(self):
        return [Stmt("set", (self.p, A(self.y)))] if self.b.chance(0.3) else []

    def use(self, thread, index):
        b = self.b
        target = b.rng.choice([self.x, ("*", self.p)])
        body = self.some(target)
        if b.flaw():
            body = [Stmt("set", (self.p, A(self.y)))]
        return [Stmt("lock", (self.m,))] + body + [Stmt("unlock", (self.m,))] if not b.flaw() else body


class MainLocal(Topic):
    """A local of main that the threads reach by a pointer."""

    def build(self):
        b = self.b
        self.name = b.fresh("mine")
        self.gp = V(b.new_global("gp", IP, ("null",)))
        self.m = b.lock()

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


class ById(Topic):
    """The argument decides who may touch what."""
    needs_index = True

    def build(self):
        super().build()
        self.m = self.b.lock()
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


class FnPointer(Topic):
    """The access, or the locking, is behind a function pointer."""

    def build(self):
        super().build()
        b = self.b
        self.m = b.lock()
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
            return [Stmt("decl", (p, ("fn",), ("f", self.bad))), Stmt("lock", (self.m,)), Stmt("icall", (V(p),)),
                    Stmt("unlock", (self.m,))]
        return [Stmt("decl", (p, ("fn",), ("f", self.good if not b.flaw() else self.bad))), Stmt("icall", (V(p),))]


class Lists(Topic):
    """Nodes pushed on a list under a lock, walked under it."""

    def build(self):
        b = self.b
        s = b.fresh("cell")
        self.t = ("ptr", ("struct", s))
        b.prog.structs[s] = [("v", "int"), ("next", self.t)]
        self.s = s
        self.head, self.m = V(b.new_global("head", self.t, ("null",))), b.lock()

    def bare(self):
        return [Stmt("if", (("bin", "!=", self.head, ("null",)),), [self.touch(("->", self.head, "v"))])]

    def use(self, thread, index):
        b = self.b
        p = b.fresh("n")
        if b.chance(0.5):
            link = [Stmt("set", (("->", V(p), "next"), self.head)), Stmt("set", (self.head, V(p)))]
            fill = [Stmt("decl", (p, self.t, ("null",))), Stmt("calloc", (V(p), ("struct", self.s))),
                    Stmt("set", (("->", V(p), "v"), K(1)))]
            return fill + guarded(self.m, link) + ([Stmt("inc", (("->", V(p), "v"),))] if b.flaw() else [])
        walk = Stmt("while", (("bin", "!=", V(p), ("null",)),),
                    [self.touch(("->", V(p), "v")), Stmt("set", (V(p), ("->", V(p), "next")))])
        get = [Stmt("decl", (p, self.t, ("null",))), Stmt("lock", (self.m,)), Stmt("set", (V(p), self.head))]
        return get + ([Stmt("unlock", (self.m,)), walk] if b.flaw() else [walk, Stmt("unlock", (self.m,))])


class Owner(Topic):
    """Taking an object out of a shared slot makes it private."""

    def build(self):
        b = self.b
        self.x = V(b.new_global("x", "int"))
        self.slot, self.m = V(b.new_global("slot", IP, A(self.x))), b.lock()

    def use(self, thread, index):
        b = self.b
        p = b.fresh("mine")
        clear = [] if b.flaw() else [Stmt("set", (self.slot, ("null",)))]
        take = [Stmt("decl", (p, IP, ("null",)))] + guarded(self.m, [Stmt("set", (V(p), self.slot))] + clear)
        back = guarded(self.m, [Stmt("set", (self.slot, V(p)))]) if b.chance(0.6) else []
        late = [self.touch(("*", V(p)))] if b.flaw() else []
        return take + [Stmt("if", (("bin", "!=", V(p), ("null",)),), [self.touch(("*", V(p)))] + back + late)]


TOPICS = {  # name: (class, weight)
    "heap": (Heap, 3), "private": (Private, 2), "bulk": (Bulk, 2), "static": (StaticLocal, 1),
    "alias": (PointerAlias, 2), "mainlocal": (MainLocal, 2), "factory": (Factory, 3), "byid": (ById, 3),
    "fnptr": (FnPointer, 2), "list": (Lists, 2), "owner": (Owner, 2),
}
