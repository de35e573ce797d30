# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a topic is: shared data together with a discipline that protects it.

`use(thread, index)` gives the statements of one protected use, `bare()` an unprotected one for when no other thread
runs, `setup()` what main does first. `builder.flaw()` decides where a discipline is broken.
"""

from lang import Stmt

MP = ("ptr", "mutex")
IP = ("ptr", "int")


def V(name):
    return ("v", name)


def A(lv):
    return ("&", lv)


def K(n):
    return ("k", n)


def guarded(m, body):
    return [Stmt("lock", (m,))] + body + [Stmt("unlock", (m,))]


class Topic:
    needs_index = False

    def __init__(self, b):
        self.b = b
        self.build()

    def build(self):
        self.x = self.b.data("x")

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
