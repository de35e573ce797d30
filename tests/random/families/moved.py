# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moved: pointers in memory that are changed in place, by arithmetic, bit by bit, byte by byte, by the
library and by atomic updates.

Under a lock one thread changes the pointer `s`, with another one `t` beside it, and writes where it leads then. Who
finds the cell written, under the lock, writes `data` without it: a race, if that is where the pointer leads. The array
lies so that the lowest byte of an address in it is the offset; what leads out of it on the way is no program.
"""

from families.frame import Act, FamilyProg, create, join

BASE, SIZE, WORD = 0x40000, 256, 2**64


def low(value, other, size):
    """The value, with the lowest bytes of another one."""
    return value // 256**size * 256**size + other % 256**size


class Moves:
    def __init__(self, maker):
        self.maker = maker

    def act(self):
        x, y = self.maker.pick("st", "st", "ts")
        k = self.maker.rng.randrange(1, 7)
        bit = self.maker.pick(4, 8, 16, 32)
        size = self.maker.pick(1, 1, 2, 4)
        part = {1: "b", 2: "h", 4: "w"}[size]
        of_part = {
            f"{x}.{part}[0] += {4 * k};": lambda v, o: low(v, v + 4 * k, size),
            f"{x}.{part}[0] ^= {bit};": lambda v, o: v ^ bit,
            f"{x}.{part}[0] = {y}.{part}[0];": lambda v, o: low(v, o, size),
            f"__sync_fetch_and_add(&{x}.{part}[0], {4 * k});": lambda v, o: low(v, v + 4 * k, size),
            f"__sync_fetch_and_or(&{x}.{part}[0], {bit});": lambda v, o: v | bit,
            f"memcpy(&{x}, &{y}, {size});": lambda v, o: low(v, o, size),
        }
        of_byte = {
            f"{x}.b[0] = {4 * k};": lambda v, o: low(v, 4 * k, 1),
            f"memset(&{x}, {4 * k}, 1);": lambda v, o: low(v, 4 * k, 1),
            f"*((char *)&{x} + none) = {bit};": lambda v, o: low(v, bit, 1),
            f"{x}.b[none] = {bit};": lambda v, o: low(v, bit, 1),
            f"memset((char *)&{x} - {k}, {bit}, {k + 1});": lambda v, o: low(v, bit, 1),
            f"memcpy((char *)&{x} - {k}, &eights, {k + 1});": lambda v, o: low(v, 8, 1),
            f"memset(&{x}, {bit}, one + none);": lambda v, o: low(v, bit, 1),
            f"memset((char *)&{x} + none, {bit}, one);": lambda v, o: low(v, bit, 1),
            f"for (int i = -{k}; i < one; i++) ((char *)&{x})[i] = {bit};": lambda v, o: low(v, bit, 1),
            f"__atomic_store_n(&{x}.b[none], {bit}, 5);": lambda v, o: low(v, bit, 1),
            f"strcpy((char *)&{x}, \"\");": lambda v, o: low(v, 0, 1),
            f"snprintf((char *)&{x}, 1, \"%d\", none);": lambda v, o: low(v, 0, 1),
        }
        of_all = {
            f"{x}.p += {k};": lambda v, o: v + 4 * k,
            f"{{ int *end = a + ({SIZE // 4} - none); {x}.p = end - {k}; }}": lambda v, o: BASE + SIZE - 4 * k,
            f"{x}.p = &{x}.p[-{k}];": lambda v, o: v - 4 * k,
            f"{x}.u += {4 * k};": lambda v, o: v + 4 * k,
            f"{x}.u |= {bit};": lambda v, o: v | bit,
            f"{x}.u &= ~{bit}ul;": lambda v, o: v & ~bit,
            f"{x} = {y};": lambda v, o: o,
            f"{x}.d = {y}.d;": lambda v, o: o,
            f"for (int i = 0; i < {k}; i++) {x}.p++;": lambda v, o: v + 4 * k,
            f"{{ int *volatile q = {x}.p; q += {k}; {x}.p = q; }}": lambda v, o: v + 4 * k,
            f"__atomic_fetch_add(&{x}.u, {4 * k}, 5);": lambda v, o: v + 4 * k,
            f"__atomic_fetch_sub(&{x}.u, {4 * k}, 5);": lambda v, o: v - 4 * k,
            f"__sync_fetch_and_xor(&{x}.u, {bit});": lambda v, o: v ^ bit,
            f"__sync_fetch_and_and(&{x}.u, ~{bit}ul);": lambda v, o: v & ~bit,
            f"{x}.p = __atomic_exchange_n(&other, {x}.p, 5); {x}.p = other;": lambda v, o: v,
        }
        text, change = self.maker.pick(*self.maker.pick(of_part, of_part, of_byte, of_all, of_all).items())
        return Act(text, "move", x, change)


class MovedProg(FamilyProg):
    def decide(self, bodies):
        kinds = [act.kind for act in bodies["t0"]]
        told = [act.kind for act in bodies["main"]]
        moves = [act for act in bodies["t0"] if act.kind == "move"]
        if kinds != ["lock"] + ["move"] * len(moves) + ["put", "unlock", "data"]:
            return "no program", False
        if told != ["begin", "create", "look", "join"]:
            return "no program", False
        at = dict(zip("st", bodies["main"][0].args))
        for act in moves:
            name, change = act.args
            at[name] = change(at[name], at["t" if name == "s" else "s"]) % WORD
            if not BASE <= at[name] < BASE + SIZE:
                return "no program", False
        led = at["s"] - BASE
        return ("no program" if led % 4 else "racy" if led // 4 == bodies["main"][2].args[0] else "race-free"), False


def make(maker):
    maker.prog.__class__ = MovedProg
    maker.declare("union word { int *p; unsigned long u; unsigned w[2]; unsigned short h[4]; unsigned char b[8]; double d; };")
    maker.declare(f"static int a[{SIZE // 4}] __attribute__((aligned({SIZE})));")
    maker.declare("static struct { long before; union word s; long between; union word t; } at;")
    maker.declare("static int *other, data; pthread_t h0;")
    maker.declare("char *strcpy(char *, const char *); int snprintf(char *, size_t, const char *, ...);")
    maker.declare("static volatile int none, one = 1; static const long eights = 0x0808080808080808;")
    maker.declare("#define s at.s\n#define t at.t")
    maker.declare("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
    moves = Moves(maker)
    body = [Act("pthread_mutex_lock(&m);", "lock")]
    body += [moves.act() for _ in range(maker.rng.randrange(1, 5))]
    body += [Act("*s.p = 1;", "put"), Act("pthread_mutex_unlock(&m);", "unlock"), Act("data = 1;", "data")]
    maker.thread("t0", body)
    first, second = (maker.rng.randrange(8, 40) for _ in "st")
    begin = Act(f"s.p = a + {first}; t.p = a + {second};", "begin", BASE + 4 * first, BASE + 4 * second)
    maker.main([begin, create(0), Act("", "look", 0), join(0)])
    # Where it leads, or, sometimes, elsewhere.
    led = next((n for n in range(SIZE // 4) if looks_at(maker.prog, n) == "racy"), None)
    looks_at(maker.prog, led if led is not None and maker.chance(0.8) else maker.rng.randrange(SIZE // 4))


def looks_at(prog, number):
    prog.funcs[-1].body[2] = Act(
        f"pthread_mutex_lock(&m); int seen = a[{number}]; pthread_mutex_unlock(&m); if (seen) data = 2;", "look", number)
    return prog.truth()[0]
