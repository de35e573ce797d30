# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared data in all the shapes that C has: what is touched, and how wide.

Each kind has `places`: lvalues that may or may not overlap. `touch()` is one statement that reads or writes one of
them; `part(n)` narrows it to some places, so that two threads can stay apart, or seem to.
"""

INTS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
        "long long", "_Bool"]


class Data:
    def __init__(self, w):
        self.w, self.places, self.whole = w, [], []  # whole: statements that touch much at once
        self.setup = []  # what main does first
        self.build()

    def build(self):
        raise NotImplementedError

    def touch(self, places=None):
        w = self.w
        if self.whole and places is None and w.chance(0.15):
            return w.pick(*self.whole)
        lv = w.pick(*(places or self.places))
        how = w.rng.randrange(7)
        if how < 2:
            return f"{lv}++;"
        if how == 2:
            return f"{lv} = {w.pick(0, 1, 1, 2, 3)};"
        if how == 3:
            return f"{lv} ^= 1;"
        if how == 4:
            return f"{lv} = {w.pick(*self.places)};"
        return f"int {w.fresh('r')} = (int){lv};"

    def part(self, n, of):
        """The n-th of so many parts of the places, in order; with a flaw, any place."""
        if self.w.flaw() or len(self.places) < of:
            return [self.w.pick(*self.places)]
        size = len(self.places) // of
        return self.places[n * size:(n + 1) * size]


class Scalar(Data):
    def build(self):
        w = self.w
        x, t = w.fresh("x"), w.pick(*INTS)
        w.declare(f"{w.pick('', 'static ', 'volatile ')}{t} {x};")
        self.places = [x]


class Cast(Data):
    """One object under several widths."""

    def build(self):
        w = self.w
        x, t = w.fresh("x"), w.pick("int", "long long", "unsigned long long")
        w.declare(f"{t} {x};")
        size = 4 if t == "int" else 8
        self.places = [f"((char *)&{x})[{k}]" for k in range(size)]
        if w.chance(0.7):
            self.places += [f"((short *)&{x})[{k}]" for k in range(size // 2)] + [x]
        self.whole = [f"memset((char *)&{x} + {w.rng.randrange(size)}, 0, 1);",
                      f"memset(&{x}, 0, {w.pick(1, 2, 3, 4)});"]


class Union(Data):
    def build(self):
        w = self.w
        u = w.fresh("u")
        w.declare(f"union {u}_t {{ char c[8]; short s[4]; int i[2]; long long l; struct {{ char a; int b; }} t; }};")
        w.declare(f"union {u}_t {u}, {u}_copy;")
        self.places = w.pick([f"{u}.c[{k}]" for k in range(8)], [f"{u}.s[{k}]" for k in range(4)],
                             [f"{u}.i[0]", f"{u}.i[1]"], [f"{u}.t.a", f"{u}.t.b"],
                             [f"{u}.c[1]", f"{u}.s[1]", f"{u}.i[1]"],
                             [f"{u}.c[0]", f"{u}.s[0]", f"{u}.i[0]", f"{u}.l"], [f"{u}.c[3]", f"{u}.t.b"])
        self.whole = [f"{u}_copy = {u};", f"{u} = {u}_copy;", f"memcpy(&{u}, &{u}_copy, {w.pick(1, 2, 4, 5, 8)});"]


class Bits(Data):
    def build(self):
        w = self.w
        b = w.fresh("b")
        w.declare(f"struct {b}_t {{ unsigned a : 3; unsigned b : 5; {w.pick('', 'unsigned : 0;')} unsigned c : 9; char d; "
                  f"short e : 4; int f; }};")
        w.declare(f"struct {b}_t {b}, {b}_copy;")
        self.places = [f"{b}.{f}" for f in w.pick("ab", "ac", "bd", "cd", "df", "abcdef", "ef", "af")]
        self.whole = [f"{b}_copy = {b};", f"{b} = {b}_copy;"]


class Structs(Data):
    """Elements of an array of structs; copies of elements and of the start of one."""

    def build(self):
        w = self.w
        s = w.fresh("s")
        t = w.pick("char", "short", "int")
        w.declare(f"struct {s}_t {{ {t} a; int b; {w.pick('', 'char pad; ')}long c; }};")
        w.declare(f"struct {s}_t {s}[3], {s}_out;")
        self.places = [f"{s}[{k}].{f}" for k in range(2) for f in "abc"]
        self.whole = [f"{s}_out = {s}[0];", f"{s}[{w.rng.randrange(3)}] = {s}[1];", f"memset(&{s}[0], 0, sizeof(int));",
                      f"memcpy(&{s}[1], &{s}[0], {w.pick('sizeof(int)', f'sizeof(struct {s}_t)', '9')});"]


class Heap(Data):
    """An object main allocates; reached by a global pointer, an interior one, or a copy of it."""

    def build(self):
        w = self.w
        p = w.fresh("p")
        t = w.pick("int", "short", "long")
        w.declare(f"{t} *{p}, *{p}_mid;")
        self.setup = [f"{p} = calloc(4, sizeof({t}));", f"{p}_mid = {p} + {w.pick(1, 2)};"]
        self.places = w.pick([f"{p}[{k}]" for k in range(4)], [f"*{p}", f"*{p}_mid"], [f"{p}_mid[-1]", f"{p}_mid[1]"],
                             [f"{p}[2]", f"*{p}_mid"])


class Leaked(Data):
    """A thread-local variable, or a local of main, whose address others know."""

    def build(self):
        w = self.w
        v = w.fresh("v")
        if w.chance(0.6):
            w.declare(f"_Thread_local int {v}; int *{v}_of_main;")
            self.setup = [f"{v}_of_main = &{v};"]
            self.places = w.pick([v], [f"*{v}_of_main"], [v, f"*{v}_of_main"])
        else:
            w.declare(f"int *{v};")
            self.setup = [f"int {v}_here[2] = {{0, 0}};", f"{v} = {v}_here;"]
            self.places = [f"{v}[0]", f"{v}[1]"]


class Indexed(Data):
    """An element whose number is computed from the thread's own, sometimes with wrap-around."""

    def build(self):
        w = self.w
        a = w.fresh("a")
        w.declare(f"{w.pick('char', 'short', 'int')} {a}[8];")
        index = w.pick("id & 7", "id * 2 & 7", "id / 2", "(unsigned char)(id * 128) & 7",
                       "(unsigned char)(id + 255) & 7",
                       "id ^ 1", "(id * 3) % 4", "(unsigned)-id & 7", "(id + 6) % 8",
                       "(unsigned char)(id * 127 + id) / 127 & 7",
                       "(int)((unsigned)id * 2147483649u & 7)", "id * (id + 1) & 7", "(id << 31 >> 31) & 7",
                       "id > 0 ? 1 : 0")
        self.places = [f"{a}[{index}]"]


KINDS = [Scalar] * 3 + [Cast, Union, Union, Bits, Bits, Structs, Structs, Heap, Leaked, Indexed, Indexed]
