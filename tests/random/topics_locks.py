# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Topics where a lock is held at the access: plain, in structs and arrays, by pointer, in odd control flow."""

from lang import Stmt
from topic import A, K, MP, V, Topic, guarded


class MutexVar(Topic):
    def build(self):
        super().build()
        self.m = self.b.lock()
        self.style = self.b.rng.choice(["plain"] * 4 +
                                       ["nested", "wrapper", "helper", "unlock_callee", "correlated", "config"])
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
            leave = [Stmt("if", (V("f"),), [Stmt("unlock", (self.m,)), Stmt("return", (K(1),))]),
                     Stmt("return", (K(0),))]
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
            m = b.lock(new=b.chance(0.5))
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
        other = self.b.lock(new=True)
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
        self.m = b.lock()
        self.f = None
        if b.chance(0.4):
            s = b.fresh("s")
            good = Stmt("return", (("bin", "==", V(s), K(0)),))
            if b.chance(0.4):
                good = Stmt("if", (("bin", "==", V(s), K(0)),), [Stmt("return", (K(1),))], [Stmt("return", (K(0),))])
            self.f = b.func("try_take", [("p", ("ptr", "mutex"))], "int",
                            [Stmt("decl", (s, "int", K(0))), Stmt("trylock", (V(s), V("p"))), good,
                             Stmt("return", (K(0),))])

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
            return head + [Stmt("if", (ok,), full, [Stmt("lock", (self.m,))] + full)]
        return head + [Stmt("if", (ok,), full)]


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
        return b.rng.choice([[lock, lock, unlock] + body + [unlock], [lock] + body + [unlock], [lock, lock] + body +
                             [unlock, unlock]])


class OddFlow(Topic):
    """Locks taken and released in unusual places of the control flow."""

    def build(self):
        super().build()
        b = self.b
        self.m = b.lock()
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
        test = Stmt("if", (("bin", ">", self.x, K(b.rng.choice([0, 1]))),), [un, Stmt("break")] if not b.flaw()
                    else [un])
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
        first = b.lock(new=True) if b.flaw() else self.m
        call = Stmt("call", (None, self.out, [A(V(p))]))
        if first != self.m:
            return [Stmt("decl", (p, MP, first)), Stmt("lock", (V(p),)), self.touch(self.x), Stmt("unlock", (V(p),)),
                    call]
        return [Stmt("decl", (p, MP, ("null",))), call, Stmt("lock", (V(p),)), self.touch(self.x),
                Stmt("unlock", (V(p),))]

    def hand_over(self):
        b = self.b
        p, q = b.fresh("op"), b.fresh("oq")
        other = b.lock(new=True)
        return [Stmt("decl", (p, MP, self.m)), Stmt("lock", (V(p),)), Stmt("decl", (q, MP, V(p))),
                Stmt("set", (V(p), other)),
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


TOPICS = {  # name: (class, weight)
    "mutex": (MutexVar, 5), "struct": (StructLock, 3), "array": (LockArray, 3), "lockptr": (LockPointer, 3),
    "rwlock": (RwLock, 2), "trylock": (TryLock, 3), "recursive": (Recursive, 2), "oddflow": (OddFlow, 5),
}
