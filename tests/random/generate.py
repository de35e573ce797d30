# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a random concurrent program from a seed.

A program is a few `topics` (shared data and the discipline that protects it, see topic.py) used by two to four
threads, and a way to start and join them. Each discipline is right by itself; flaws are put in on purpose at a low
rate, so that about half of the programs have a race and it is mostly exactly one.
"""

import random

import topics_data
import topics_history
import topics_indirect
import topics_locks
import topics_order
import topics_spin
from lang import Func, Global, Prog, Stmt
from mutate import mutate
from patterns import PATTERNS, MainMaker

ALL_TOPICS = {**topics_locks.TOPICS, **topics_order.TOPICS, **topics_data.TOPICS, **topics_indirect.TOPICS,
              **topics_spin.TOPICS, **topics_history.TOPICS}
# no lock is held at the access: a proof needs values, order or ownership
SUBTLE = ["handoff", "ticket", "once", "lastout", "testset", "phase", "byid", "owner", "pingpong", "barrier",
          "interfere",
          "argptr", "chunks"]


def V(name):
    return ("v", name)


# only where they are asked for by name, so that the programs of a seed stay what they are
ON_REQUEST = {*topics_history.TOPICS, "flagbits"}


class Builder:
    """The program under construction: fresh names, shared helpers, the rate of flaws."""

    def __init__(self, rng):
        self.rng, self.prog, self.counter = rng, Prog({}, {}, {}), {}
        self.flaw_rate = rng.choice([0, 0, 0.04, 0.08, 0.15])
        self.locks, self.known_data = [], []

    def chance(self, p):
        return self.rng.random() < p

    def flaw(self):
        return self.chance(self.flaw_rate)

    def fresh(self, stem):
        n = self.counter.get(stem, 0)
        self.counter[stem] = n + 1
        return f"{stem}{n}"

    def new_global(self, stem, t, init=0, flavour=""):
        name = self.fresh(stem)
        if not flavour and self.chance(0.3):
            flavour = "static"
        self.prog.globals[name] = Global(t, init, flavour)
        return name

    def mutex(self, new=False):
        known = [n for n, g in self.prog.globals.items() if g.type == "mutex"]
        if known and not new and self.chance(0.5):
            return self.rng.choice(known)
        return self.new_global("m", "mutex")

    def lock(self, new=False):
        """A pointer expression to a mutex: a global, a member, an array element; rarely through a pointer."""
        if not self.chance(0.25):
            return ("&", V(self.mutex(new)))
        known = [e for e in self.locks if not new]
        if known and self.chance(0.5):
            return self.rng.choice(known)
        shape = self.rng.randrange(3)
        if shape == 0:
            lv = ("ix", V(self.new_global("ml", ("arr", 2, "mutex"))), ("k", self.rng.randrange(2)))
        else:
            s = self.struct("guard", [("m", "mutex"), ("pad", "int"), ("n", "mutex")])
            lv = (".", V(self.new_global("gd", ("struct", s))), "m" if shape == 1 else "n")
        e = ("&", lv)
        if self.chance(0.3):
            e = V(self.new_global("mp", ("ptr", "mutex"), e))
        self.locks.append(e)
        return e

    def data(self, stem):
        """An int lvalue that can be shared: mostly a plain global, else part of something larger."""
        if self.known_data and self.chance(0.12):
            return self.rng.choice(self.known_data)  # two disciplines for one variable
        e = self.new_data(stem)
        self.known_data.append(e)
        return e

    def new_data(self, stem):
        shape = self.rng.randrange(12)
        if shape == 0:
            return ("ix", V(self.new_global(stem, ("arr", 3, "int"))), ("k", self.rng.randrange(3)))
        if shape == 1:
            return ("ix", ("ix", V(self.new_global(stem, ("arr", 2, ("arr", 2, "int")))), ("k", 1)),
                    ("k", self.rng.randrange(2)))
        if shape in (2, 3):
            inner = self.struct("inner", [("p", "int"), ("q", ("arr", 2, "int"))])
            outer = self.struct("outer", [("head", "int"), ("in", ("struct", inner)), ("tail", "int")])
            whole = V(self.new_global(stem, ("struct", outer)))
            if shape == 3:
                whole = ("*", V(self.new_global(stem + "p", ("ptr", ("struct", outer)), ("&", whole))))
            sub = (".", whole, "in")
            return self.rng.choice([(".", whole, "tail"), (".", sub, "p"), ("ix", (".", sub, "q"), ("k", 1))])
        x = V(self.new_global(stem, "int"))
        return ("*", V(self.new_global(stem + "p", ("ptr", "int"), ("&", x)))) if shape == 4 else x

    def struct(self, stem, fields):
        name = self.fresh(stem)
        self.prog.structs[name] = fields
        return name

    def func(self, stem, params, ret, body):
        name = self.fresh(stem)
        self.prog.funcs[name] = Func(name, params, ret, body)
        return name


def generate(seed, mutations=True, topics=None):
    rng = random.Random(seed)
    b = Builder(rng)
    n_entries = rng.choice([1, 2, 2, 2, 3])
    names = SUBTLE if rng.random() < 0.25 else [k for k in ALL_TOPICS if k not in ON_REQUEST]
    names = topics or names
    kinds = rng.choices(names, weights=[ALL_TOPICS[k][1] for k in names], k=rng.choice([1, 1, 2, 2, 3]))
    topics = [ALL_TOPICS[k][0](b) for k in kinds]
    b.prog.idioms = kinds
    entries = make_entries(b, topics, n_entries)
    make_main(b, topics, entries)
    b.prog.seed = str(seed)
    b.prog.real_headers = rng.random() < 0.1
    for f in b.prog.funcs.values():
        f.body = [unshare(s) for s in f.body]  # no statement in two places
    return mutate(rng, b.prog, rng.choice([0, 0, 0, 1, 1, 2, 3] if names is not SUBTLE
                                          else [0, 1, 1, 2, 2, 3])) if mutations else b.prog


def unshare(s):
    return Stmt(s.op, s.args, [unshare(x) for x in s.body], [unshare(x) for x in s.orelse])


def make_entries(b, topics, n):
    """Entry functions; each may be started more than once. Returns (name, takes an int argument)."""
    bodies = []
    for i in range(n):
        takes = b.chance(0.4) or any(t.needs_index for t in topics)
        body, index = [], V("id") if takes else None
        for t in topics:
            for _ in range(b.rng.choice([1, 1, 1, 2])):
                if b.chance(0.85):
                    body += t.use(i, index)
        if b.chance(0.15) and body:
            body = wrap_in_function(b, body, takes)
        bodies.append((body, takes))
    return [(b.func("thread", [("id", "int")] if takes else [], "entry", body), takes) for body, takes in bodies]


def wrap_in_function(b, body, takes):
    name = b.func("work", [("id", "int")] if takes else [], "void", body)
    return [Stmt("call", (None, name, [V("id")] if takes else []))]


def make_main(b, topics, entries):
    m = MainMaker(b, topics, entries)
    for t in topics:
        m.body += t.setup()
    m.bare(0.4)
    pattern = b.rng.choice(PATTERNS)
    pattern(b, m)
    if b.chance(0.1):
        m.body.append(Stmt("texit"))
    b.prog.funcs["main"] = Func("main", [], "int", m.body)
