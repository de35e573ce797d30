# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways in which main starts and joins the threads, and where it touches the data itself."""

from lang import Global, Stmt
from topic import A, K, V


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


def guarded(b, m):
    """Main holds a lock of the program while a thread lives: the thread itself does not hold it."""
    mx = b.lock()
    h, g = b.fresh("h"), b.fresh("h")
    m.body += [Stmt("decl", (h, "thread", None)), Stmt("decl", (g, "thread", None))]
    m.create(V(h), m.entries[0])
    m.body.append(Stmt("lock", (mx,)))
    m.create(V(g), b.rng.choice(m.entries))
    m.bare(0.3)
    order = [Stmt("join", (V(g),)), Stmt("unlock", (mx,))]
    m.body += order if b.chance(0.5) else order[::-1]
    m.bare(0.2)
    m.join(V(h))
    m.bare(0.4)


def helpers(b, m):
    """Threads started and joined by functions of the program."""
    e = b.rng.choice(m.entries)
    tp = ("ptr", "thread")
    start = b.func("start", [("h", tp), ("id", "int")], "void",
                   [Stmt("create", (("*", V("h")), e[0], V("id") if e[1] else None))])
    stop = b.func("stop", [("h", "thread")], "void", [Stmt("join", (V("h"),))])
    names = [b.fresh("h") for _ in range(2)]
    m.body += [Stmt("decl", (h, "thread", None)) for h in names]
    for i, h in enumerate(names):
        m.body.append(Stmt("call", (None, start, [A(V(h)), K(i)])))
    m.protected(0.3)
    second = names[1] if not b.flaw() else None
    m.body.append(Stmt("call", (None, stop, [V(names[0])])))
    if b.flaw():
        m.bare(0.5)
    if second:
        m.body.append(Stmt("call", (None, stop, [V(second)])))
        m.bare(0.5)


def maybe(b, m):
    """A thread that is started under a condition, and joined under the same one."""
    c, h, g = b.fresh("c"), b.fresh("h"), b.fresh("h")
    m.body += [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)), Stmt("decl", (h, "thread", None)),
               Stmt("decl", (g, "thread", None))]
    top = m.body
    m.body = []
    m.create(V(h), m.entries[0])
    top.append(Stmt("if", (V(c),), m.body))
    m.body = top
    two = b.chance(0.6)
    if two:
        m.create(V(g), m.entries[-1])
    m.protected(0.3)
    m.body.append(Stmt("if", (V(c) if not b.flaw() else K(0),), [Stmt("join", (V(h),))]))
    if two:
        m.join(V(g))
    m.bare(0.5)


def joiner(b, m):
    """Another thread joins the first; or main joins a copy of the handle."""
    gh, h = b.fresh("gh"), b.fresh("h")
    b.prog.globals[gh] = Global("thread")
    m.create(V(gh), m.entries[0])
    sub = MainMaker(b, m.topics, m.entries)
    if b.flaw():
        sub.bare(0.5)
    sub.join(V(gh))
    sub.bare(0.4)
    sub.protected(0.3)
    last = b.func("last", [], "entry", sub.body)
    m.body.append(Stmt("decl", (h, "thread", None)))
    m.create(V(h), (last, False))
    m.protected(0.3)
    if b.flaw():
        m.bare(0.5)
    copy = b.fresh("h")
    m.body += [Stmt("decl", (copy, "thread", V(h))), Stmt("join", (V(copy),))]
    m.bare(0.4)


def loop_serial(b, m):
    """A loop that creates and joins, one thread at a time or all but the last."""
    h, i = b.fresh("h"), b.fresh("i")
    e = b.rng.choice(m.entries)
    m.body.append(Stmt("decl", (h, "thread", None)))
    create, join = Stmt("create", (V(h), e[0], V(i) if e[1] else None)), Stmt("join", (V(h),))
    m.body.append(Stmt("for", (i, 2), [create, join] if not b.flaw() else [create]))
    if not m.body[-1].body[-1].op == "join":
        m.join(V(h))
    m.bare(0.5)


def two_bosses(b, m):
    """Two threads each start the same third one."""
    e = b.rng.choice(m.entries)
    hi = b.fresh("h")
    sub = MainMaker(b, m.topics, m.entries)
    sub.body.append(Stmt("decl", (hi, "thread", None)))
    sub.create(V(hi), e)
    sub.join(V(hi))
    boss = b.func("boss", [], "entry", sub.body)
    names = [b.fresh("h") for _ in range(2)]
    m.body += [Stmt("decl", (h, "thread", None)) for h in names]
    early = b.chance(0.3)
    for k, h in enumerate(names):
        m.create(V(h), (boss, False))
        if early:
            m.join(V(h))
    if not early:
        for h in names:
            m.join(V(h))
    m.bare(0.5)


def counted(b, m):
    """An unknown number of threads, started and joined in loops whose bounds may differ."""
    n, hs, i, j = b.fresh("num"), b.fresh("hs"), b.fresh("i"), b.fresh("i")
    m.body += [Stmt("decl", (n, "int", K(0))), Stmt("range", (V(n), 1, 3))]
    if b.chance(0.5):
        b.prog.sampled = b.chance(0.6)
        m.body += [Stmt("decl", (hs, ("ptr", "thread"), ("null",))), Stmt("callocn", (V(hs), "thread", V(n)))]
    else:
        m.body.append(Stmt("decl", (hs, ("arr", 4, "thread"), None)))
    e = b.rng.choice(m.entries)
    m.body.append(Stmt("span", (i, K(0), V(n), 1),
                       [Stmt("create", (("ix", V(hs), V(i)), e[0], V(i) if e[1] else None))]))
    m.protected(0.3)
    wrong = b.chance(0.35)
    low, high, stride, at = K(0), V(n), 1, V(j)
    if wrong:
        kind = b.rng.randrange(4)
        low = K(1) if kind == 0 else low
        high = ("bin", "-", V(n), K(1)) if kind == 1 else K(b.rng.randrange(1, 3)) if kind == 3 else high
        stride = 2 if kind == 2 else 1
    elif b.chance(0.4):
        at = ("bin", "-", ("bin", "-", V(n), K(1)), V(j))
    join = [Stmt("join", (("ix", V(hs), at),))]
    if wrong and b.chance(0.3):
        c = b.fresh("c")
        join = [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)), Stmt("if", (V(c),), join)]
    m.body.append(Stmt("span", (j, low, high, stride), join))
    m.bare(0.7)


PATTERNS = [counted] * 2 + [separate] * 5 + [looped] * 2 + [serial, nested, nested, overwritten, guarded, guarded,
                                                            helpers, maybe, joiner,
                                           loop_serial, two_bosses]
