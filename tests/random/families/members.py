# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Members beside arrays: what lies in one member of a struct when others were written at numbers that are given.

Numbers and pointers are put into a struct at indices, distances and lengths that inputs decide; then a thread follows a
pointer that lies there, or asks for a number, and touches a variable that main touches, too. All contents that inputs
can lead to are worked out byte by byte. An index that leaves its array and stays in the struct counts: verify does not
rely on the declared bounds of a member. What leaves the struct, or follows what is no pointer, is undefined, and so no
race.
"""

from collections import Counter

from families.frame import COMPARISONS, Act, FamilyProg, create, join

VARIABLES = ("x", "y", "z")
MOST_CONTENTS = 1500
UNDEFINED = "undefined"


def distances(factor, more, bits, low, high):
    """factor * n + more in so many bits, for each n from low to high."""
    return {(factor * n + more) % 2**bits for n in range(low, high + 1)}


class Layout:
    """Members in a row, all of them whole words."""

    def __init__(self, maker, word):
        self.word, self.members, at = word, [], 0
        kinds = [maker.pick("p", "k", "a", "t", "i", "c") for _ in range(maker.rng.randrange(3, 7))]
        kinds += [kind for kind in "pa" if kind not in kinds]
        maker.rng.shuffle(kinds)
        for number, kind in enumerate(kinds):
            each = {"i": 4, "c": 1}.get(kind, word)
            count = maker.pick(2, 3, 4) * word // each if kind in "atic" else 0
            self.members.append((kind, f"{kind}{number}", at, each, count))
            at += each * max(count, 1)
        self.size = at

    def text(self):
        types = {"p": "long *", "k": "long ", "a": "long ", "t": "long *", "i": "int ", "c": "signed char "}
        return " ".join(f"{types[kind]}{name}{f'[{count}]' if count else ''};" for kind, name, _, _, count in self.members)


class Contents:
    """Statements about one struct: each text with all that it may do."""

    def __init__(self, maker, layout, struct):
        self.maker, self.layout, self.struct = maker, layout, struct

    def member(self, kinds):
        fitting = [m for m in self.layout.members if m[0] in kinds]
        return self.maker.pick(*fitting) if fitting else None

    def value(self, kind, size):
        """Text and bytes."""
        if kind in "pt" or (kind in "ak" and self.maker.chance(0.15)):
            name = self.maker.pick(*VARIABLES)
            return f"{'' if kind in 'pt' else '(long)'}&{name}", bytes_of(name, size)
        number = self.maker.pick(0, 1, 1, 2, 7, 127)
        return str(number), (number,) + (0,) * (size - 1)

    def index(self, each, count):
        """(what comes before, a test, the index, lowest, highest)"""
        n, reach = self.maker.fresh("n"), self.layout.size // each
        how = self.maker.pick("fixed", "mask", "rest", "range", "range", "any")
        if how == "fixed":
            at = self.maker.rng.randrange(count)
            return "", "", str(at), at, at
        if how == "mask":
            most = self.maker.pick(1, 1, 3, 7)
            return f"unsigned {n} = __VERIFIER_nondet_uint(); ", "", f"{n} & {most}", 0, most
        if how == "rest":
            most = self.maker.pick(count, count, count, count + 1, 2 * count)
            return f"unsigned {n} = __VERIFIER_nondet_uint(); ", "", f"{n} % {most}u", 0, most - 1
        if how == "any":
            return f"int {n} = __VERIFIER_nondet_int(); ", "", n, -reach, reach
        low = self.maker.pick(0, 0, 0, 1, -1, -2)
        high = self.maker.pick(count - 1, count - 1, count, low, low + 1)
        tests = [f"{n} >= {low}", f"{n} <= {high}"]
        self.maker.rng.shuffle(tests)
        return f"int {n} = __VERIFIER_nondet_int(); ", f"if ({' && '.join(tests)}) ", n, low, high

    def inside(self, offset, size):
        return 0 <= offset and offset + size <= self.layout.size

    def element(self, kinds):
        """(text before, test, lvalue, offsets, kind, size of an element)"""
        kind, name, at, each, count = self.member(kinds)
        if not count:
            return "", "", f"{self.struct}{name}", [at], kind, each
        before, test, index, low, high = self.index(each, count)
        offsets = [at + each * k for k in range(low, high + 1) if self.inside(at + each * k, each)]
        return before, test, f"{self.struct}{name}[{index}]", offsets, kind, each

    def put(self):
        before, test, place, offsets, kind, each = self.element("pkatic")
        text, found = self.value(kind, each)
        does = [(("set", offset, found),) for offset in offsets] + ([()] if test else [])
        return Act(f"{before}{test}{place} = {text};", "put", tuple(does))

    def scaled(self):
        """A word, or half of one, at a distance that may wrap around."""
        n, word = self.maker.fresh("n"), self.layout.word
        wide = self.maker.chance(0.5) and word == 8
        kind, given, bits, suffix = ("unsigned long", "ulong", 64, "ul") if wide else ("unsigned", "uint", 32, "u")
        size = self.maker.pick(word, word, 4, 4, 1)
        factor = self.maker.pick(*{1: [1], 4: [4, 12, 2, 1]}.get(size, [8, 8, 16, 4, 2]))
        more = factor * self.maker.rng.randrange(3)
        begins = [0, 0, 1, 2**bits // factor - 1, 2**bits // factor + 1]
        if factor & (factor - 1) == 0:
            begins.append(2**(bits - 1) // factor)
        low = min(self.maker.pick(*begins), 2**bits - 1)
        high = min(2**bits - 1, low + self.maker.pick(0, 1, 2, 4))
        bound = f"if ({n} <= {high}{suffix} && {n} >= {low}{suffix}) "
        offsets = [o for o in sorted(distances(factor, more, bits, low, high)) if self.inside(o, size)]
        text, found = self.value("p" if size == word and self.maker.chance(0.4) else "i", size)
        text = text.replace("&", "(long)&")
        part = {1: "char", 4: "any_int", 8: "any_long"}[size]
        does = tuple((("set", offset, found),) for offset in offsets) + ((),)
        begin = "heap" if self.struct == "heap->" else "&s"
        address = f"({part} *)((char *){begin} + ({factor}{suffix} * {n} + {more}{suffix}))"
        return Act(f"{kind} {n} = __VERIFIER_nondet_{given}(); {bound}*{address} = {text};", "put", does)

    def bytes_at(self):
        """A byte address of a member, perhaps moved by an input: (text before, text, offsets)."""
        kind, name, at, _, count = self.member("pkatic")
        place = f"(char *){'' if count else '&'}{self.struct}{name}"
        if self.maker.chance(0.5):
            return "", place, [at]
        n, step = self.maker.fresh("n"), self.maker.pick(self.layout.word, self.layout.word, 4, 1)
        most = self.maker.pick(1, 1, 3)
        return (f"unsigned {n} = __VERIFIER_nondet_uint(); ", f"{place} + {step} * ({n} & {most})",
                [at + step * k for k in range(most + 1)])

    def whole(self):
        """Bytes are set or copied."""
        before, to, offsets = self.bytes_at()
        length = self.maker.pick(1, 2, 3, 4) * self.maker.pick(self.layout.word, self.layout.word, 4)
        if self.maker.chance(0.5):
            byte = self.maker.pick(0, 0, 1, 255)
            does = [(("set", o, (byte,) * length),) for o in offsets if self.inside(o, length)]
            return Act(f"{before}memset({to}, {byte}, {length});", "put", tuple(does))
        also, source, sources = self.bytes_at()
        does = [(("copy", o, p, length),) for o in offsets for p in sources
                if self.inside(o, length) and self.inside(p, length)]
        return Act(f"{before}{also}memmove({to}, {source}, {length});", "put", tuple(does))

    def some_put(self):
        return self.maker.pick(self.put, self.put, self.put, self.scaled, self.whole)()

    def deed(self, contents):
        """A variable is touched that a pointer leads to, or if a number is there, mostly one that may be."""
        if self.maker.chance(0.65):
            before, test, place, offsets, _, _ = self.element("pt")
            return Act(f"{before}{test}*{place} = 1;", "through", tuple(offsets), bool(test))
        before, test, place, offsets, _, each = self.element("kaic" if self.member("kic") else "a")
        seen = rare_first(number_at(content, offset, each) for content in contents for offset in offsets)
        number = self.maker.pick(*seen[:6]) if seen and self.maker.chance(0.8) else self.maker.pick(0, 1, 2, 7, 127)
        name, op = self.maker.pick(*VARIABLES), self.maker.pick("==", "==", "==", "!=", ">")
        start = test[:-2] + " && " if test else "if ("
        return Act(f"{before}{start}{place} {op} {number}{'l' if abs(number) >= 2**31 else ''}) {name} = 1;", "ask", tuple(offsets), bool(test), each,
                   COMPARISONS[op], number, name)


def rare_first(found):
    """What is there, without None: a mistake shows where few inputs lead to it."""
    counts = Counter(one for one in found if one is not None)
    return sorted(counts, key=lambda one: (counts[one], one))


def bytes_of(name, word):
    """Of a pointer to the variable."""
    return tuple((name, k) for k in range(word))


def number_at(content, offset, size):
    """None if part of it is one of a pointer."""
    found = content[offset:offset + size]
    if any(isinstance(byte, tuple) for byte in found):
        return None
    return int.from_bytes(bytes(found), "little", signed=True)


def after(content, does):
    out = list(content)
    for what in does:
        if what[0] == "set":
            out[what[1]:what[1] + len(what[2])] = what[2]
        else:
            out[what[1]:what[1] + what[3]] = content[what[2]:what[2] + what[3]]
    return tuple(out)


class MemberProg(FamilyProg):
    size = word = 0

    def outcomes(self, act, content):
        """The variables that a deed may touch; None: no variable. Empty: all of it is undefined."""
        offsets, may_skip = act.args[:2]
        return ({None} if may_skip else set()).union(*(self.outcome(act, content, offset) for offset in offsets))

    def outcome(self, act, content, offset):
        if act.kind == "through":
            found = content[offset:offset + self.word]
            name = found[0][0] if isinstance(found[0], tuple) else ""
            return {name} if found == bytes_of(name, self.word) else set()
        each, compare, number, name = act.args[2:]
        there = number_at(content, offset, each)
        if there is None:
            return {UNDEFINED}
        return {name if compare(there, number) else None}

    def reached(self, contents, acts):
        """All contents behind these acts, and all that their deeds touch on the way."""
        touched = set()
        for act in acts:
            if act.kind == "put":
                contents = {after(content, does) for content in contents for does in act.args[0]}
            elif act.kind in ("through", "ask"):
                found = {content: self.outcomes(act, content) for content in contents}
                contents = {content for content in contents if found[content]}
                touched = touched.union(*found.values())
            if len(contents) > MOST_CONTENTS:
                return set(), touched | {UNDEFINED}
        return contents, touched

    def decide(self, bodies):
        """Main's touches before its section meet a thread that came first to the lock, those behind it one that came
        later."""
        main, thread = bodies["main"], bodies["t0"]
        kinds = [act.kind for act in main]
        if "create" not in kinds:
            return "race-free", False
        at = kinds.index("create")
        later = main[at + 1:kinds.index("join")] if "join" in kinds else main[at + 1:]
        contents, before = self.reached({(0,) * self.size}, main[:at])
        if before:
            return UNDEFINED, False  # too many
        places = [k for k, act in enumerate(later) if act.kind == "put"]
        if not places:
            return self.verdict([(contents, later)], thread)
        locked = [act.kind for act in later if act.kind in ("lock", "put", "unlock")] == ["lock", "put", "unlock"]
        inside = thread and thread[0].kind == "lock" and thread[-1].kind == "unlock"
        if not locked or not inside:
            return UNDEFINED, False
        changed, before = self.reached(contents, [later[places[0]]])
        if before:
            return UNDEFINED, False
        return self.verdict([(contents, later[:places[0]]), (changed, later[places[0]:])], thread)

    def verdict(self, cases, thread):
        answers = set()
        for contents, beside in cases:
            mine = {act.args[0] for act in beside if act.kind == "touch"}
            _, touched = self.reached(contents, thread)
            answers.add("racy" if touched & mine else UNDEFINED if UNDEFINED in touched else "race-free")
        return next(answer for answer in ("racy", UNDEFINED, "race-free") if answer in answers), False


def touches(maker, rarest):
    name = rarest[0] if rarest and maker.chance(0.7) else maker.pick(*VARIABLES)
    return [Act(f"{name} = 2;", "touch", name)]


def telling_deed(maker, contents, acts):
    """One that touches different variables for different inputs, if that is found soon, and those, the rarest first."""
    there = sorted(maker.prog.reached({(0,) * maker.prog.size}, acts)[0], key=str)[:300]
    for _ in range(12):
        deed = contents.deed(there)
        found = [maker.prog.outcomes(deed, content) for content in there]
        if len(set(map(frozenset, found))) > 1:
            break
    return deed, rare_first(name for names in found for name in names - {UNDEFINED})


def make(maker):
    maker.prog.__class__ = MemberProg
    maker.prog.word = word = maker.pick(8, 8, 4)
    maker.prog.data_model = "ILP32" if word == 4 else ""
    layout = Layout(maker, word)
    maker.prog.size = layout.size
    maker.declare("typedef int any_int __attribute__((aligned(1))); typedef long any_long __attribute__((aligned(1)));")
    maker.declare("unsigned long __VERIFIER_nondet_ulong(void); pthread_t h0; pthread_mutex_t m;")
    maker.declare(f"struct members {{ {layout.text()} }} s, *heap; long {', '.join(VARIABLES)};")
    on_heap = maker.chance(0.3)
    contents = Contents(maker, layout, "heap->" if on_heap else "s.")
    main = [Act(f"heap = calloc(1, {layout.size});")] if on_heap else []
    main += [contents.some_put() for _ in range(maker.pick(1, 1, 2, 3))]
    body = [contents.some_put() for _ in range(maker.pick(0, 0, 0, 1))]
    deed, rarest = telling_deed(maker, contents, main + body)
    body.append(deed)
    beside = touches(maker, rarest)
    if maker.chance(0.3):
        lock, unlock = (Act(f"pthread_mutex_{what}(&m);", what) for what in ("lock", "unlock"))
        body = [lock] + body + [unlock]
        beside += [lock, contents.some_put(), unlock] + touches(maker, rarest)
    maker.thread("t0", body)
    maker.main(main + [create(0)] + beside + [join(0)])
