# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places: elements and members at numbers that the program is given, also where arithmetic wraps around.

An array of structs of longs; each thread writes one member of one element, or the bytes at an offset that is worked out
from inputs in some width. Which offsets inside the array an input can lead to is solved for; everything outside is
undefined, and so no race. All offsets are multiples of eight.

Half of the programs are about what lies beside an array in a struct (members.py).
"""

from math import gcd

from families import members
from families.frame import Act, FamilyProg, create, join

COUNT = 6
WORD = 2**64
SIZES = {"unsigned long": 64, "unsigned": 32, "long": 64, "int": 32}
GIVEN = {"unsigned long": "ulong", "unsigned": "uint", "long": "long", "int": "int"}


def solves(factor, wanted, bits, low, high):
    """Some number from low to high, times factor, is `wanted` in so many bits."""
    width = 2**bits
    shared = gcd(factor, width)
    if wanted % shared:
        return False
    step = width // shared
    first = (wanted // shared) * pow(factor // shared, -1, step) % step
    return low + (first - low) % step <= high


class Place:
    """One access: its text, and the offsets of the longs that it may write."""

    def __init__(self, places):
        self.maker, self.members = places.maker, places.members
        self.size = 8 * self.members
        self.offsets = range(0, COUNT * self.size, 8)

    def element(self):
        """a[n].f, where n has a sign: no defined sum wraps around."""
        n, kind, field = self.maker.fresh("n"), self.maker.pick("long", "int"), self.maker.rng.randrange(self.members)
        return (f"{kind} {n} = __VERIFIER_nondet_{GIVEN[kind]}(); a[{n}].f{field} = 1;",
                {o for o in self.offsets if o % self.size == 8 * field})

    def fixed(self):
        at, field = self.maker.rng.randrange(COUNT), self.maker.rng.randrange(self.members)
        return f"a[{at}].f{field} = 2;", {at * self.size + 8 * field}

    def factor(self):
        return self.maker.pick(self.size, self.size, 8, 16, 24, 40, 48, 56, 72, 96)

    def scaled(self):
        """The bytes at factor * n + more, in arithmetic that wraps around."""
        n, kind = self.maker.fresh("n"), self.maker.pick("unsigned long", "unsigned long", "unsigned")
        factor, more = self.factor(), 8 * self.maker.rng.randrange(self.members)
        bits = SIZES[kind]
        most = self.maker.pick(2**bits - 1, 2**bits - 1, 1000, 2**(bits - 1) // factor, 2**bits // factor)
        bound = "" if most == 2**bits - 1 else f"if ({n} <= {most}u{'l' * (bits // 64)}) "
        suffix = "ul" if bits == 64 else "u"
        found = {o for o in self.offsets if solves(factor, o - more, bits, 0, most)}
        sum_text = f"{factor}{suffix} * {n} + {more}{suffix}"
        if self.maker.chance(0.3):
            sum_text = f"{more}{suffix} + {n} * {factor}{suffix}"
        return f"{kind} {n} = __VERIFIER_nondet_{GIVEN[kind]}(); {bound}*(long *)((char *)a + ({sum_text})) = 3;", found

    def two(self):
        """factor * n + factor * m: each product fits, the sum may not."""
        n, m, factor = self.maker.fresh("n"), self.maker.fresh("m"), self.factor()
        most = (WORD - 1) // factor if self.maker.chance(0.7) else 1000
        found = {o for o in self.offsets if solves(factor, o, 64, 0, 2 * most)}
        return (f"unsigned long {n} = __VERIFIER_nondet_ulong(), {m} = __VERIFIER_nondet_ulong();\n"
                f"if ({n} <= {most}ul && {m} <= {most}ul) *(long *)((char *)a + ({factor}ul * {n} + {factor}ul * {m})) = 4;",
                found)

    def cut(self):
        """A product of 128 bits, cut to 64."""
        n, factor = self.maker.fresh("n"), self.factor()
        found = {o for o in self.offsets if solves(factor, o, 64, 0, WORD - 1)}
        return (f"unsigned __int128 {n} = __VERIFIER_nondet_ulong(); "
                f"*(long *)((char *)a + (unsigned long)({n} * {factor})) = 5;", found)

    def act(self):
        text, offsets = self.maker.pick(self.element, self.element, self.fixed, self.scaled, self.scaled, self.two,
                                        self.cut)()
        return Act(text, "place", (frozenset(offsets), "nondet" in text))


class PlaceProg(FamilyProg):
    def decide(self, bodies):
        """Each place of a thread meets those of the others, and of main while the thread runs; not by inputs, if two
        fixed places meet."""
        threads = [[act.args[0] for act in bodies[name] if act.kind == "place"] for name in ("t0", "t1")
                   if any(act.kind == "create" and act.args[0] == name for act in bodies["main"])]
        mine, runs = [], False
        for act in bodies["main"]:
            runs = runs or act.kind == "create"
            if act.kind == "join":
                break
            if act.kind == "place" and runs:
                mine.append(act.args[0])
        sides = threads + [mine]
        met = [(a, b) for k, side in enumerate(sides) for other in sides[k + 1:] for a in side for b in other
               if a[0] & b[0]]
        return ("racy" if met else "race-free"), bool(met) and all(a[1] or b[1] for a, b in met)


class Places:
    def __init__(self, maker):
        self.maker, self.members = maker, maker.pick(1, 2, 3, 3, 5, 6, 7)

    def body(self, most):
        return [Place(self).act() for _ in range(self.maker.rng.randrange(1, most + 1))]


def make(maker):
    if maker.chance(0.5):
        return members.make(maker)
    maker.prog.__class__ = PlaceProg
    maker.prog.lists_inputs = True
    places = Places(maker)
    fields = " ".join(f"long f{k};" for k in range(places.members))
    maker.declare(f"struct element {{ {fields} }} a[{COUNT}];")
    maker.declare("unsigned long __VERIFIER_nondet_ulong(void); long __VERIFIER_nondet_long(void); pthread_t h0, h1;")
    count = maker.pick(1, 1, 2)
    for index in range(2):
        maker.thread(f"t{index}", places.body(2) if index < count else [])
    main = [create(index) for index in range(count)] + (places.body(1) if count == 1 or maker.chance(0.5) else [])
    return maker.main(main + [join(index) for index in range(count)])
