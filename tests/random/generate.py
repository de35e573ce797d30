# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a random concurrent program from a seed.

A program is a few `topics` (shared data and the discipline that protects it, see topics.py) used by two to four
threads, and a way to start and join them. Each discipline is right by itself; flaws are put in on purpose at a low
rate, so that about half of the programs have a race and it is mostly exactly one.
"""

import random

from lang import Func, Global, Prog, Stmt
from mutate import mutate
from topics import TOPICS


def V(name):
    return ("v", name)


class Builder:
    """The program under construction: fresh names, shared helpers, the rate of flaws."""

    def __init__(self, rng):
        self.rng, self.prog, self.counter = rng, Prog({}, {}, {}), {}
        self.flaw_rate = rng.choice([0, 0, 0.04, 0.08, 0.15])
        self.main_exit = False

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

    def struct(self, stem, fields):
        name = self.fresh(stem)
        self.prog.structs[name] = fields
        return name

    def func(self, stem, params, ret, body):
        name = self.fresh(stem)
        self.prog.funcs[name] = Func(name, params, ret, body)
        return name


def generate(seed, mutations=True):
    rng = random.Random(seed)
    b = Builder(rng)
    n_entries = rng.choice([1, 2, 2, 2, 3])
    kinds = rng.choices(list(TOPICS), weights=[w for _, w in TOPICS.values()], k=rng.choice([1, 1, 2, 2, 3]))
    topics = [TOPICS[k][0](b) for k in kinds]
    b.prog.idioms = kinds
    entries = make_entries(b, topics, n_entries)
    make_main(b, topics, entries)
    b.prog.seed = str(seed)
    for f in b.prog.funcs.values():
        f.body = [unshare(s) for s in f.body]  # no statement in two places
    return mutate(rng, b.prog, rng.choice([0, 0, 0, 1, 1, 2, 3])) if mutations else b.prog


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


class MainMaker:
    def __init__(self, b, topics, entries):
        self.b, self.topics, self.entries = b, topics, entries
        self.body, self.instance = [], 0

    def bare(self, p):
        for t in self.topics:
            if self.b.chance(p):
                self.body += t.bare()

    def protected(self, p):
        for t in self.topics:
            if self.b.chance(p):
                self.body += t.use(9, ("k", 2) if t.needs_index else None)

    def arg(self, takes, k=None):
        if not takes:
            return None
        self.instance += 1
        return k or ("k", self.instance - 1)

    def create(self, handle, entry, k=None):
        self.body.append(Stmt("create", (handle, entry[0], self.arg(entry[1], k))))

    def join(self, handle):
        self.body.append(Stmt("join", (handle,)))


def make_main(b, topics, entries):
    m = MainMaker(b, topics, entries)
    for t in topics:
        m.body += t.setup()
    m.bare(0.4)
    pattern = b.rng.choice([separate, separate, separate, looped, serial, nested, overwritten])
    pattern(b, m)
    if b.chance(0.1):
        m.body.append(Stmt("texit"))
    b.prog.funcs["main"] = Func("main", [], "int", m.body)


def separate(b, m):
    """Own handles; joins in any order, some missing; main works before, between and after."""
    team = [(e, b.fresh("h")) for e in m.entries]
    while len(team) < 2 or (len(team) < 3 and b.chance(0.25)):
        team.append((b.rng.choice(m.entries), b.fresh("h")))
    is_global = b.chance(0.3)
    for _, h in team:
        if is_global:
            b.prog.globals[h] = Global("thread")
        else:
            m.body.append(Stmt("decl", (h, "thread", None)))
    for i, (e, h) in enumerate(team):
        m.create(V(h), e)
        if b.flaw():
            m.bare(0.5)
        m.protected(0.15)
    if b.chance(0.4):
        b.rng.shuffle(team)
    missing = b.rng.randrange(len(team)) if b.chance(0.15) else -1
    for i, (_, h) in enumerate(team):
        if i != missing:
            m.join(V(h))
        if b.flaw():
            m.bare(0.5)
        m.protected(0.1)
    m.bare(0.5 if missing < 0 else 0.15)


def looped(b, m):
    """An array of handles filled in a loop; joined in a loop, by stride, backwards or one only."""
    n = b.rng.choice([2, 2, 3])
    hs = b.fresh("hs")
    m.body.append(Stmt("decl", (hs, ("arr", n, "thread"), None)))
    i = b.fresh("i")
    e = b.rng.choice(m.entries)
    m.body.append(Stmt("for", (i, n), [Stmt("create", (("ix", V(hs), V(i)), e[0], V(i) if e[1] else None))]))
    m.protected(0.3)
    how = b.rng.choice(["loop", "loop", "loop", "one", "back", "fewer"])
    j = b.fresh("i")
    if how == "loop":
        m.body.append(Stmt("for", (j, n), [Stmt("join", (("ix", V(hs), V(j)),))]))
    elif how == "back":
        at = ("bin", "-", ("k", n - 1), V(j))
        m.body.append(Stmt("for", (j, n), [Stmt("join", (("ix", V(hs), at),))]))
    elif how == "one":
        m.join(("ix", V(hs), ("k", b.rng.randrange(n))))
    else:
        m.body.append(Stmt("for", (j, n - 1), [Stmt("join", (("ix", V(hs), V(j)),))]))
    m.bare(0.5 if how in ("loop", "back") else 0.12)


def serial(b, m):
    """Create and join one after the other: no two threads ever run together."""
    h = b.fresh("h")
    m.body.append(Stmt("decl", (h, "thread", None)))
    for e in m.entries + [b.rng.choice(m.entries)]:
        m.create(V(h), e)
        if b.flaw():
            m.bare(0.6)
        if not b.flaw():
            m.join(V(h))
        m.bare(0.3)


def nested(b, m):
    """A thread starts the others, and joins them or not."""
    inner = b.rng.choice(m.entries)
    hi, ho = b.fresh("h"), b.fresh("h")
    body = [Stmt("decl", (hi, "thread", None))]
    sub = MainMaker(b, m.topics, m.entries)
    sub.body = body
    if b.chance(0.5):
        sub.bare(0.5)
    sub.create(V(hi), inner)
    sub.protected(0.5)
    joined = b.chance(0.75)
    if joined:
        sub.join(V(hi))
    if b.chance(0.3):
        sub.bare(0.4)
    boss = b.func("boss", [], "entry", body)
    m.instance = 1
    m.body.append(Stmt("decl", (ho, "thread", None)))
    m.create(V(ho), (boss, False))
    if b.chance(0.4):
        other = b.fresh("h")
        m.body.append(Stmt("decl", (other, "thread", None)))
        m.create(V(other), b.rng.choice(m.entries))
        if b.chance(0.8):
            m.join(V(other))
    m.protected(0.4)
    m.join(V(ho))
    m.bare(0.5 if joined else 0.1)


def overwritten(b, m):
    """One handle variable for two threads: the first is never joined."""
    h = b.fresh("h")
    m.body.append(Stmt("decl", (h, "thread", None)))
    m.create(V(h), m.entries[0])
    m.create(V(h), b.rng.choice(m.entries))
    m.protected(0.4)
    m.join(V(h))
    m.bare(0.2)
