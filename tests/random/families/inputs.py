# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs: what the program is given guards accesses, by values that the input can have and by those it cannot.

A source gives a register a value out of a range. Of a range those numbers are tried that the tests tell apart: each
number that the program compares with, and one out of each gap between them.
"""

from families.frame import COMPARISONS, Act, create, join, test, touch

INT = (-2**31, 2**31 - 1)
NUMBERS = [-2, -1, 0, 1, 2, 3, 4, 5, 10, 65, 127, 255, 256, 300, 40000, 100000]


def around(low, high, numbers):
    inside = sorted(n for n in numbers if low <= n <= high)
    between = [a + 1 for a, b in zip([low - 1, *inside], [*inside, high + 1]) if b > a + 1]
    return tuple(sorted({*inside, *between}))


class Source:
    """One input: `read(register)` gives the Acts that fill the register; `usual` numbers are worth a comparison."""

    def __init__(self, inputs):
        self.inputs, self.maker = inputs, inputs.maker

    def plain(self, r, text, low, high):
        return [Act(f"{r} = {text};", "choose", r, lambda regs: around(low, high, self.inputs.numbers))]

    def argc(self, r):
        if not self.inputs.in_main or self.inputs.has_argument:
            return self.nondet(r)
        self.inputs.has_argument = True
        return [Act(f"{r} = argc;", "mostly", r, (1, 2, 3, 4, 5, 6, 10, 11, 65, 300), (0,))]

    def argument(self, r):
        if not self.inputs.in_main or self.inputs.has_argument:
            return self.nondet(r)
        self.inputs.has_argument = True
        known = lambda low, high: lambda regs: around(low, high, self.inputs.numbers)
        call, values = self.maker.pick(("atoi(argv[1])", known(*INT)), ("(int)strlen(argv[1])", known(0, 5000)),
                                       ("(unsigned char)argv[1][0]", known(0, 255)))
        self.inputs.numbers.update((0, 1))
        return [Act("if (argc < 2) return 0;", "choose", "$argc", (1, 2)).plus("stop", lambda regs: regs["$argc"] < 2),
                Act(f"{r} = {call};", "choose", r, values)]

    def getchar(self, r):
        if self.inputs.has_stdin:
            return self.nondet(r)
        self.inputs.has_stdin = True
        return self.plain(r, self.maker.pick("getchar()", "getchar()"), -1, 255)

    def scanf(self, r):
        if self.inputs.has_stdin:
            return self.nondet(r)
        self.inputs.has_stdin = True
        v = self.inputs.register()
        both = Act(f"{r} = scanf(\"%d\", &{v});", "choose", r, (-1, 0, 1))
        both.plus("choose", v, lambda regs: around(*INT, self.inputs.numbers) if regs[r] == 1 else (0,))
        return [both, test(v, self.maker.pick(*COMPARISONS), self.inputs.number(), [self.inputs.touch()])]

    def read(self, r):
        if self.inputs.has_stdin:
            return self.nondet(r)
        self.inputs.has_stdin = True
        count, b = self.maker.pick(1, 3, 4), self.maker.fresh("b")
        self.inputs.numbers.add(count)
        acts = [Act(f"char {b}[4] = {{0}}; {r} = (int)read(0, {b}, {count});", "choose", r, tuple(range(-1, count + 1)))]
        if self.maker.chance(0.5):
            v = self.inputs.register()
            values = lambda regs: around(0, 255, self.inputs.numbers) if regs[r] >= 1 else (0,)
            acts += [Act(f"{v} = (unsigned char){b}[0];", "choose", v, values),
                     test(v, self.maker.pick(*COMPARISONS), self.inputs.number(), [self.inputs.touch()])]
        return acts

    def nondet(self, r):
        name, low, high = self.maker.pick(("int", *INT), ("uchar", 0, 255), ("bool", 0, 1), ("short", -32768, 32767))
        self.inputs.numbers.add(high)
        return self.plain(r, f"__VERIFIER_nondet_{name}()", low, high)

    def getenv(self, r):
        return [Act(f"{r} = getenv(\"{self.maker.fresh('NAME')}\") != 0;", "choose", r, (0, 1))]

    def time(self, r):
        return [Act(f"{r} = (int)(time(0) % 2 != 0);", "choose", r, (0, 1))]

    def isatty(self, r):
        if self.inputs.has_terminal:
            return self.nondet(r)
        self.inputs.has_terminal = True
        return [Act(f"{r} = isatty(0);", "choose", r, (0, 1))]

    def rand(self, r):
        """The first number without a seed is one that the C library fixes."""
        if self.inputs.has_rand or not self.inputs.in_main:
            return self.nondet(r)
        self.inputs.has_rand = True
        return [Act(f"{r} = rand();", "mostly", r, (1804289383,), (0, 1, 65, 300, 2**31 - 1))]

    def getpid(self, r):
        if self.inputs.has_pid:
            return self.nondet(r)
        self.inputs.has_pid = True
        return [Act(f"{r} = getpid();", "choose", r, lambda regs: around(1, 4000000, self.inputs.numbers))]


SOURCES = ["argc", "argument", "getchar", "getchar", "scanf", "read", "nondet", "nondet", "getenv", "time", "isatty", "rand",
           "getpid"]


class Inputs:
    def __init__(self, maker):
        self.maker, self.registers, self.numbers = maker, [], set()
        self.in_main = self.has_stdin = self.has_argument = self.has_rand = self.has_pid = self.has_terminal = False
        self.source = Source(self)
        maker.declare("int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", x=0, y=0, m=(None, 0, "normal"))

    def register(self):
        name = self.maker.fresh("r")
        self.registers.append(name)
        return name

    def number(self):
        number = self.maker.pick(*NUMBERS)
        self.numbers.add(number)
        return number

    def touch(self):
        return touch(self.maker.pick("x", "x", "y"), self.maker.rng)

    def guarded(self):
        """The access, mostly under the lock."""
        if not self.maker.flaw() and self.maker.chance(0.5):
            return [Act("pthread_mutex_lock(&m);", "op", "m", "lock", ""), self.touch(),
                    Act("pthread_mutex_unlock(&m);", "op", "m", "unlock", "")]
        return [self.touch()]

    def guard(self, r, body):
        number = self.number()
        return test(r, self.maker.pick("==", "==", *COMPARISONS), number, body)

    def piece(self):
        """An input, and accesses behind one or two tests of it."""
        maker = self.maker
        r = self.register()
        acts = getattr(self.source, maker.pick(*SOURCES))(r)
        body = self.guarded()
        if maker.chance(0.25):
            body = [self.guard(r, body)]
        return acts + [self.guard(r, body)]


def make(maker):
    i = Inputs(maker)
    count = maker.pick(1, 2, 2)
    maker.prog.lists_inputs = True
    maker.declare("pthread_t " + ", ".join(f"h{n}" for n in range(count)) + ";")
    given = maker.chance(0.5)  # main reads, the threads look at what it read
    main, shared = [], []
    i.in_main = True
    if given:
        for _ in range(maker.pick(1, 1, 2)):
            r = i.register()
            main += getattr(i.source, maker.pick(*SOURCES))(r)
            name = maker.fresh("in")
            maker.declare(f"int {name};", **{name: 0})
            main.append(Act(f"{name} = {r};", "put", name, lambda regs, r=r: regs.get(r, 0)))
            shared.append(name)
    main_registers, i.in_main = i.registers, False
    for index in range(count):
        i.registers = []
        body = thread_body(maker, i, shared)
        maker.thread(f"t{index}", body, i.registers)
    i.registers, i.in_main = main_registers, True
    main += [create(n) for n in range(count)]
    if maker.chance(0.5):
        main += thread_body(maker, i, shared)
    main += [join(n) for n in range(count)]
    declared = [Act("int " + ", ".join(f"{r} = 0" for r in i.registers) + ";")] if i.registers else []
    maker.main(declared + main, "int main(int argc, char **argv)")


def thread_body(maker, i, shared):
    if not shared:
        return i.piece() if maker.chance(0.7) else i.guarded()
    r, name = i.register(), maker.pick(*shared)
    return [Act(f"{r} = {name};", "get", r, name), i.guard(r, i.guarded())]
