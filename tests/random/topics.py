# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Topics: shared data together with a discipline that protects it.

`use(thread, index)` gives the statements of one protected use, `bare()` an unprotected one for when no other thread
runs, `setup()` what main does first. `builder.flaw()` decides where a discipline is broken.
"""

from lang import Stmt


def V(name):
    return ("v", name)


def A(lv):
    return ("&", lv)


def K(n):
    return ("k", n)


class Topic:
    needs_index = False

    def __init__(self, b):
        self.b = b
        self.build()

    def build(self):
        self.x = V(self.b.new_global("x", "int"))

    def setup(self):
        return []

    def bare(self):
        return [self.touch(self.x)]

    def touch(self, lv, write=None):
        """One simple access to an int."""
        b = self.b
        kind = b.rng.choice(["inc", "inc", "set", "read", "self"]) if write is None else ("set" if write else "read")
        if kind == "inc":
            return Stmt("inc", (lv,))
        if kind == "set":
            return Stmt("set", (lv, K(b.rng.randrange(1, 5))))
        if kind == "self":
            return Stmt("set", (lv, ("bin", "+", lv, K(1))))
        return Stmt("decl", (b.fresh("r"), "int", lv))

    def some(self, lv):
        b = self.b
        r = b.rng.random()
        if r < 0.7:
            return [self.touch(lv)]
        if r < 0.8:
            return [Stmt("if", (("bin", ">", lv, K(0)),), [self.touch(lv)])]
        if r < 0.9:
            return [Stmt("for", (b.fresh("i"), 2), [self.touch(lv)])]
        return [self.touch(lv), self.touch(lv)]

    def maybe_nondet(self, body):
        """The body under an unknown condition, sometimes."""
        b = self.b
        if not b.chance(0.15):
            return body
        c = b.fresh("c")
        return [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)), Stmt("if", (V(c),), body)]


class MutexVar(Topic):
    def build(self):
        super().build()
        self.m = A(V(self.b.mutex()))
        self.style = self.b.rng.choice(["plain"] * 4 + ["nested", "wrapper", "helper", "unlock_callee", "correlated", "config"])
        b = self.b
        if self.style == "wrapper":
            p = ("ptr", "mutex")
            self.fl = b.func("take", [("p", p)], "void", [Stmt("lock", (V("p"),))])
            self.fu = b.func("give", [("p", p)], "void", [Stmt("unlock", (V("p"),))])
        if self.style == "helper":
            body = [Stmt("lock", (V("p"),)), Stmt("set", (("*", V("q")), ("bin", "+", ("*", V("q")), K(1)))),
                    Stmt("unlock", (V("p"),))]
            self.fh = b.func("locked_add", [("p", ("ptr", "mutex")), ("q", ("ptr", "int"))], "void", body)
        if self.style == "unlock_callee":
            leave = [Stmt("if", (V("f"),), [Stmt("unlock", (self.m,)), Stmt("return", (K(1),))]), Stmt("return", (K(0),))]
            self.fo = b.func("finish", [("f", "int")], "int", leave)
        if self.style == "config":
            self.cfg = V(b.new_global("cfg", "int"))

    def setup(self):
        if self.style != "config":
            return []
        return [Stmt("set", (self.cfg, K(1)))] if self.b.chance(0.6) else [Stmt("nondet", (self.cfg,))]

    def lock_ops(self):
        b, m = self.b, self.m
        if b.flaw():
            m = A(V(b.mutex(new=b.chance(0.5))))
        return Stmt("lock", (m,)), Stmt("unlock", (m,))

    def use(self, thread, index):
        b = self.b
        lock, unlock = self.lock_ops()
        body = self.some(self.x)
        if b.flaw():
            return body
        if b.flaw():
            return [lock, unlock] + body
        return self.maybe_nondet(getattr(self, "use_" + self.style)(lock, unlock, body))

    def use_plain(self, lock, unlock, body):
        return [lock] + body + [unlock]

    def use_nested(self, lock, unlock, body):
        other = A(V(self.b.mutex(new=True)))
        l2, u2 = Stmt("lock", (other,)), Stmt("unlock", (other,))
        order = self.b.rng.randrange(3)
        if order == 0:
            return [lock, l2] + body + [u2, unlock]
        if order == 1:
            return [lock, l2, unlock] + body + [u2] if self.b.flaw() else [lock, l2, u2] + body + [unlock]
        return [l2, lock] + body + [u2, unlock]

    def use_wrapper(self, lock, unlock, body):
        return [Stmt("call", (None, self.fl, [lock.args[0]]))] + body + [Stmt("call", (None, self.fu, [lock.args[0]]))]

    def use_helper(self, lock, unlock, body):
        return [Stmt("call", (None, self.fh, [lock.args[0], A(self.x)]))]

    def use_unlock_callee(self, lock, unlock, body):
        b = self.b
        r = b.fresh("s")
        flag = b.fresh("c")
        if lock.args[0] != self.m:
            return [lock] + body + [unlock]
        test = V(r) if b.flaw() else ("!", V(r))
        rest = [Stmt("if", (test,), body + [Stmt("unlock", (self.m,))])]
        if test == V(r):
            rest = [Stmt("if", (test,), body, [Stmt("unlock", (self.m,))])]
        return [Stmt("decl", (flag, "int", K(0))), Stmt("nondet", (V(flag),)), Stmt("decl", (r, "int", K(0))), lock,
                Stmt("call", (V(r), self.fo, [V(flag)]))] + rest

    def use_correlated(self, lock, unlock, body):
        b = self.b
        c = b.fresh("c")
        head = [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)), Stmt("if", (V(c),), [lock])]
        tail = [Stmt("if", (V(c),), [unlock])]
        return head + (body if b.flaw() else [Stmt("if", (V(c),), body)]) + tail

    def use_config(self, lock, unlock, body):
        inside = body if self.b.flaw() else [Stmt("if", (self.cfg,), body)]
        return [Stmt("if", (self.cfg,), [lock])] + inside + [Stmt("if", (self.cfg,), [unlock])]


class StructLock(Topic):
    """A struct with its own mutex, reached directly, by pointer, by a parameter or through an array."""

    def build(self):
        b = self.b
        self.s = b.struct("obj", [("m", "mutex"), ("a", "int"), ("b", "int")])
        self.n = b.rng.choice([1, 1, 2])
        t = ("struct", self.s)
        self.g = b.new_global("g", t if self.n == 1 else ("arr", self.n, t))
        self.p = None
        if b.chance(0.4):
            self.p = b.new_global("p", ("ptr", t), A(self.obj(0)))
        self.f = None
        if b.chance(0.5):
            q = V("q")
            inc = Stmt("inc", (("->", q, b.rng.choice(["a", "b"])),))
            body = [Stmt("lock", (A(("->", q, "m")),)), inc, Stmt("unlock", (A(("->", q, "m")),))]
            if b.flaw():
                body = [body[1]]
            self.f = b.func("bump", [("q", ("ptr", t))], "void", body)

    def obj(self, i):
        return V(self.g) if self.n == 1 else ("ix", V(self.g), K(i))

    def bare(self):
        return [self.touch((".", self.obj(self.b.rng.randrange(self.n)), self.b.rng.choice(["a", "b"])))]

    def use(self, thread, index):
        b = self.b
        i = b.rng.randrange(self.n)
        if self.f and b.chance(0.5):
            return [Stmt("call", (None, self.f, [V(self.p) if self.p and b.chance(0.5) else A(self.obj(i))]))]
        if self.p and b.chance(0.5):
            fld = lambda f: ("->", V(self.p), f)
        else:
            fld = lambda f: (".", self.obj(i), f)
        m = A(fld("m")) if not (b.flaw() and self.n > 1) else A((".", self.obj(1 - i), "m"))
        body = self.some(fld(b.rng.choice(["a", "b"])))
        return self.maybe_nondet([Stmt("lock", (m,))] + body + [Stmt("unlock", (m,))]) if not b.flaw() else body


class LockArray(Topic):
    """Locks and data in arrays; the index is a constant, an argument, or runs in a loop."""
    needs_index = True

    def build(self):
        b = self.b
        self.n = 3
        self.data = b.new_global("d", ("arr", self.n, "int"))
        self.locks = b.new_global("l", ("arr", self.n, "mutex"))
        self.private = b.chance(0.3)

    def bare(self):
        return [self.touch(("ix", V(self.data), K(self.b.rng.randrange(self.n))))]

    def use(self, thread, index):
        b = self.b
        how = b.rng.choice(["const", "arg", "loop"]) if not self.private else "own"
        if how == "own":
            return self.some(("ix", V(self.data), index if not b.flaw() else K(0)))
        loop = b.fresh("i")
        i = {"const": K(b.rng.randrange(2)), "arg": index, "loop": V(loop)}[how]
        j = i if not b.flaw() else b.rng.choice([K(0), index])
        body = [Stmt("lock", (A(("ix", V(self.locks), j)),)), self.touch(("ix", V(self.data), i)),
                Stmt("unlock", (A(("ix", V(self.locks), j)),))]
        return [Stmt("for", (loop, 2), body)] if how == "loop" else body


class LockPointer(Topic):
    """The lock is chosen at run time; unlocked through the same or another pointer."""

    def build(self):
        super().build()
        b = self.b
        self.m0, self.m1 = b.mutex(), b.mutex(new=True)
        self.gp = b.new_global("lp", ("ptr", "mutex"), A(V(self.m0)))
        self.table = b.new_global("lt", ("arr", 2, ("ptr", "mutex")), [A(V(self.m0)), A(V(self.m1))])
        same = self.m0 if b.chance(0.7) else self.m1
        pick = [Stmt("if", (V("c"),), [Stmt("return", (A(V(self.m0)),))]), Stmt("return", (A(V(same)),))]
        self.f = b.func("pick", [("c", "int")], ("ptr", "mutex"), pick)

    def setup(self):
        return [Stmt("set", (V(self.gp), A(V(self.m1))))] if self.b.flaw() else []

    def use(self, thread, index):
        b = self.b
        p = b.fresh("lk")
        c = b.fresh("c")
        pre = [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),))]
        how = b.rng.choice(["direct", "global", "table", "cond", "func"])
        t = ("ptr", "mutex")
        other = self.m1 if b.flaw() else self.m0
        init = {"direct": A(V(self.m0)), "global": V(self.gp),
                "table": ("ix", V(self.table), K(0) if not b.flaw() else V(c)),
                "cond": ("cond", V(c), A(V(self.m0)), A(V(other))), "func": A(V(self.m0))}[how]
        out = pre + [Stmt("decl", (p, t, init))]
        if how == "func":
            out.append(Stmt("call", (V(p), self.f, [V(c)])))
        undo = V(p) if how != "direct" or b.chance(0.5) else V(self.gp)
        return out + [Stmt("lock", (V(p),))] + self.some(self.x) + [Stmt("unlock", (undo,))]


class RwLock(Topic):
    def build(self):
        super().build()
        self.rw = A(V(self.b.new_global("rw", "rwlock")))

    def use(self, thread, index):
        b = self.b
        write = b.chance(0.5)
        body = [self.touch(self.x, write)]
        kind = "wrlock" if write and not b.flaw() else "rdlock"
        if b.flaw():
            return body
        if b.chance(0.2):
            s = b.fresh("s")
            op = "trywr" if kind == "wrlock" else "tryrd"
            return [Stmt("decl", (s, "int", K(0))), Stmt(op, (V(s), self.rw)),
                    Stmt("if", (("bin", "==", V(s), K(0)),), body + [Stmt("rwunlock", (self.rw,))])]
        return [Stmt(kind, (self.rw,))] + body + [Stmt("rwunlock", (self.rw,))]


class TryLock(Topic):
    def build(self):
        super().build()
        b = self.b
        self.m = A(V(b.mutex()))
        self.f = None
        if b.chance(0.4):
            s = b.fresh("s")
            good = Stmt("return", (("bin", "==", V(s), K(0)),))
            if b.chance(0.4):
                good = Stmt("if", (("bin", "==", V(s), K(0)),), [Stmt("return", (K(1),))], [Stmt("return", (K(0),))])
            self.f = b.func("try_take", [("p", ("ptr", "mutex"))], "int",
                            [Stmt("decl", (s, "int", K(0))), Stmt("trylock", (V(s), V("p"))), good, Stmt("return", (K(0),))])

    def use(self, thread, index):
        b = self.b
        body = self.some(self.x)
        if b.chance(0.4):
            return [Stmt("lock", (self.m,))] + body + [Stmt("unlock", (self.m,))]
        s = b.fresh("s")
        full = body + [Stmt("unlock", (self.m,))]
        decl = Stmt("decl", (s, "int", K(0)))
        if self.f:
            head, ok = [decl, Stmt("call", (V(s), self.f, [self.m]))], V(s)
        else:
            head, ok = [decl, Stmt("trylock", (V(s), self.m))], ("bin", "==", V(s), K(0))
        if b.flaw():  # touched outside of the test too
            return head + [Stmt("if", (ok,), [Stmt("unlock", (self.m,))])] + body
        if b.flaw():  # inverted: the access is on the side without the lock
            return head + [Stmt("if", (ok,), [Stmt("unlock", (self.m,))], body)]
        if b.chance(0.3):
            return head + [Stmt("if", (("!", ok),), [], full) if False else Stmt("if", (ok,), full, [Stmt("lock", (self.m,))] + full)]
        return head + [Stmt("if", (ok,), full)]


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
            self.m, self.c = A(V(b.mutex())), A(V(b.new_global("cv", "cond")))

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
            say = [Stmt("lock", (self.m,)), Stmt("set", (self.s[1], K(1))), Stmt("signal", (self.c,)), Stmt("unlock", (self.m,))]
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
        self.m = A(V(b.mutex()))

    def use(self, thread, index):
        b = self.b
        r = b.fresh("own")
        body = self.some(self.x)
        first = Stmt("decl", (r, "int", K(0)))
        if self.atomic:
            op = b.rng.choice(["aadd", "axchg"])
            return [first, Stmt(op, (V(r), A(self.t), K(1))), Stmt("if", (("bin", "==", V(r), K(1 if b.flaw() else 0)),), body)]
        claim = [Stmt("set", (V(r), ("!", self.t))), Stmt("set", (self.t, K(1)))]
        if b.flaw():
            return [first, Stmt("lock", (self.m,)), claim[0], Stmt("unlock", (self.m,)), Stmt("if", (V(r),), body)]
        return [first, Stmt("lock", (self.m,))] + claim + [Stmt("unlock", (self.m,)), Stmt("if", (V(r),), body)]


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


class Heap(Topic):
    """An object made by main or by the thread; shared by a global pointer, guarded by a lock."""

    def build(self):
        b = self.b
        self.s = b.struct("node", [("m", "mutex"), ("v", "int")] if b.chance(0.5) else [("v", "int"), ("w", "int")])
        self.own_lock = self.prog_fields()[0][0] == "m"
        self.t = ("struct", self.s)
        self.gp = V(b.new_global("hp", ("ptr", self.t), ("null",)))
        self.m = A(V(b.mutex()))
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
            out = [Stmt("decl", (p, ("ptr", self.t), ("null",))), Stmt("calloc", (V(p), self.t)), self.touch(("->", V(p), "v")),
                   lock, Stmt("set", (self.gp, V(p))), unlock]
            return out + ([self.touch(("->", V(p), "v"))] if b.flaw() else [])
        use = Stmt("if", (("bin", "!=", V(p), ("null",)),), [self.touch(("->", V(p), "v"))])
        get = [Stmt("decl", (p, ("ptr", self.t), ("null",))), lock, Stmt("set", (V(p), self.gp))]
        return get + ([unlock, use] if b.flaw() else [use, unlock])


class AtomicSection(Topic):
    def use(self, thread, index):
        body = self.some(self.x)
        return body if self.b.flaw() else [Stmt("abegin")] + body + [Stmt("aend")]


class Private(Topic):
    """Thread-local storage, locals, own heap; sometimes the address escapes."""

    def build(self):
        b = self.b
        self.x = V(b.new_global("tl", "int", 0, "tls"))
        self.leak = V(b.new_global("lk_ptr", ("ptr", "int"), ("null",)))
        self.leaks = b.chance(0.4)
        self.m = A(V(b.mutex()))

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
        self.m = A(V(b.mutex()))

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
        self.m = A(V(b.mutex()))
        name = b.fresh("count")
        self.inner = b.chance(0.5)
        inc = [Stmt("inc", (V(name),))]
        body = [Stmt("lock", (self.m,))] + inc + [Stmt("unlock", (self.m,))] if self.inner else inc
        self.f = b.func("next", [], "void", body)
        b.new_global_at = None
        from lang import Global
        b.prog.globals[name] = Global("int", 0, "in:" + self.f)

    def bare(self):
        return [Stmt("call", (None, self.f, []))]

    def use(self, thread, index):
        call = [Stmt("call", (None, self.f, []))]
        if self.inner or self.b.flaw():
            return call
        return [Stmt("lock", (self.m,))] + call + [Stmt("unlock", (self.m,))]


class DoubleChecked(Topic):
    """Initialised once under a lock, then read without it."""

    def build(self):
        super().build()
        b = self.b
        self.flag = V(b.new_global("ready", "int"))
        self.m = A(V(b.mutex()))

    def use(self, thread, index):
        b = self.b
        init = Stmt("if", (("!", self.flag),), [Stmt("set", (self.x, K(1))), Stmt("set", (self.flag, K(1)))])
        read = [Stmt("decl", (b.fresh("r"), "int", self.x))] if not b.flaw() else [Stmt("inc", (self.x,))]
        if b.flaw():
            return read
        return [Stmt("lock", (self.m,)), init, Stmt("unlock", (self.m,))] + read


class PointerAlias(Topic):
    """The data is reached through pointers that may or may not name the guarded variable."""

    def build(self):
        b = self.b
        self.x, self.y = V(b.new_global("x", "int")), V(b.new_global("y", "int"))
        self.p = V(b.new_global("ip", ("ptr", "int"), A(self.x)))
        self.m = A(V(b.mutex()))

    def setup(self):
        return [Stmt("set", (self.p, A(self.y)))] if self.b.chance(0.3) else []

    def use(self, thread, index):
        b = self.b
        target = b.rng.choice([self.x, ("*", self.p)])
        body = self.some(target)
        if b.flaw():
            body = [Stmt("set", (self.p, A(self.y)))]
        return [Stmt("lock", (self.m,))] + body + [Stmt("unlock", (self.m,))] if not b.flaw() else body


TOPICS = {  # name: (class, weight)
    "mutex": (MutexVar, 5), "struct": (StructLock, 3), "array": (LockArray, 3), "lockptr": (LockPointer, 3),
    "rwlock": (RwLock, 2), "trylock": (TryLock, 3), "sem": (Semaphore, 2), "handoff": (HandOff, 3), "ticket": (Ticket, 2),
    "spin": (SpinLock, 1), "heap": (Heap, 3), "section": (AtomicSection, 1), "private": (Private, 2), "bulk": (Bulk, 2),
    "static": (StaticLocal, 1), "once": (DoubleChecked, 1), "alias": (PointerAlias, 2),
}
