# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random concurrent programs in full C: widths, unions, bit-fields, casts, weak atomics, goto, handlers, thread trees.

Where generate.py makes trees that Python can run, this makes text, and the interpreter is what knows the truth. A
statement is a string or a Node; a program is its declarations, its functions and main. The shape is the same: data
(wild_data.py) and the discipline that protects it (wild_sync.py), used by two or three threads, with flaws and
mutations at a low rate.
"""

import copy
import random
from dataclasses import dataclass, field

from prelude import prelude


@dataclass
class Node:
    """A statement with a body: `head` opens a brace, `tail` closes it."""
    head: str
    body: list
    tail: str = "}"


@dataclass
class WildProg:
    name: str
    decls: list = field(default_factory=list)
    funcs: list = field(default_factory=list)  # Node with the signature as head
    idioms: list = field(default_factory=list)
    real_headers: bool = False

    def text(self, native=False):
        out = prelude(native, self.real_headers) + list(self.decls)
        for f in self.funcs:
            out.append(f.head)
            lines_of(f.body, 1, native, out)
            out.append("}")
        return "\n".join(out) + "\n"


def lines_of(body, depth, native, out):
    for s in body:
        pad = "  " * depth
        if isinstance(s, Node):
            out.append(pad + s.head)
            lines_of(s.body, depth + 1, native, out)
            out.append(pad + s.tail)
        else:
            starts = not s.startswith(("int ", "case ", "default", "return", "break")) and ":" not in s
            out.append(pad + ("pause_randomly(); " if native and starts else "") + s)


class Chooser:
    """A program under construction, and what is chosen for it."""

    def __init__(self, seed, prog, flaw_rates):
        self.rng, self.prog = random.Random(seed), prog
        self.flaw_rate = self.rng.choice(flaw_rates)
        self.counts = {}

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def flaw(self):
        return self.chance(self.flaw_rate)

    def fresh(self, stem):
        self.counts[stem] = self.counts.get(stem, -1) + 1
        return f"{stem}{self.counts[stem]}"


class Wild(Chooser):
    def __init__(self, name):
        super().__init__("wild" + name, WildProg(name), [0, 0, 0.05, 0.1, 0.2])

    def declare(self, text):
        self.prog.decls.append(text)

    def func(self, signature, body):
        self.prog.funcs.append(Node(signature + " {", body))

    # ---- control flow around a piece of code

    def shape(self, body, depth=2):
        """The same work in another shape; declarations inside stay inside."""
        if depth == 0 or self.chance(0.5):
            return body
        inner = self.shape(body, depth - 1)
        return self.pick(self.with_goto, self.with_switch, self.with_do, self.with_call, self.with_recursion,
                         self.with_pointer, self.with_loop, self.with_condition, self.with_early_return)(inner)

    def with_goto(self, body):
        label, c = self.fresh("out"), self.fresh("g")
        return [Node("{", [f"int {c} = {self.pick(0, 1, '__VERIFIER_nondet_bool()')};", f"if ({c} > 1) goto {label};"] +
                     body + [f"{label}:;"])]

    def with_switch(self, body):
        c = self.fresh("w")
        n = self.pick(0, 1, 2, 2)
        return [Node("{", [f"int {c} = {self.pick(n, n, '__VERIFIER_nondet_bool()')};", Node(f"switch ({c}) {{", [
            f"case {n}: ;", Node("{", body), "break;", f"case {n + 1}: ;", "break;", "default: ;"])])]

    def with_do(self, body):
        i = self.fresh("d")
        return [Node("{", [f"int {i} = 0;", Node("do {", body + [f"{i}++;"],
                                                 f"}} while ({i} < {self.pick(1, 1, 2)});")])]

    def with_loop(self, body):
        i = self.fresh("i")
        return [Node(f"for (int {i} = 0; {i} < {self.pick(1, 2)}; {i}++) {{", body)]

    def with_condition(self, body):
        return [Node("if (__VERIFIER_nondet_bool()) {", body)]

    def with_call(self, body):
        f = self.fresh("call")
        self.func(f"static void {f}(int id)", body)
        return [f"{f}(id);"]

    def with_early_return(self, body):
        f = self.fresh("early")
        self.func(f"static int {f}(int id)", [Node("if (id > 7) {", ["return 1;"])] + body + ["return 0;"])
        return [f"{f}(id);"]

    def with_recursion(self, body):
        f = self.fresh("again")
        self.func(f"static void {f}(int n, int id)", [Node("if (n > 0) {", body + [f"{f}(n - 1, id);"])])
        return [f"{f}({self.pick(1, 1, 2)}, id);"]

    def with_pointer(self, body):
        f, p = self.fresh("target"), self.fresh("fp")
        self.func(f"static void {f}(int id)", body)
        self.func(f"static void {f}_not(int id)", ["(void)id;"])
        if self.chance(0.5):
            return [Node("{", [f"void (*{p})(int) = {f};", f"{p}(id);"])]
        t = self.fresh("table")
        self.func(f"static void {t}(int k, int id)", [f"void (*{p}[2])(int) = {{{f}, {f}_not}};", f"{p}[k & 1](id);"])
        return [f"{t}({self.pick('0', '2', 'id * 2', 'id')}, id);"]


def bodies_of(prog):
    """Every statement list, outermost first."""
    found = []

    def walk(body):
        found.append(body)
        for s in body:
            if isinstance(s, Node):
                walk(s.body)
    for f in prog.funcs:
        walk(f.body)
    return found


def mutate(rng, prog, times):
    for _ in range(times):
        body = rng.choice(bodies_of(prog))
        if not body:
            continue
        i = rng.randrange(len(body))
        if isinstance(body[i], str) and body[i].startswith("__VERIFIER_atomic"):
            continue  # what a section without its other half means, nobody says
        change = rng.randrange(5)
        if change < 2:
            del body[i]
        elif change == 2:
            body.insert(rng.randrange(len(body)), body.pop(i))
        elif change == 3:
            body.insert(rng.randrange(len(body) + 1), copy.deepcopy(body[i]))
        else:
            body[i] = Node("if (__VERIFIER_nondet_bool()) {", [body[i]])
    return prog


def cuts(prog):
    """Smaller variants, as (list number, index, what): delete a run, or put a body in the place of its statement."""
    sizes = [len(b) for b in bodies_of(prog)]
    for run in (8, 4, 2, 1):
        for n, length in enumerate(sizes):
            for at in range(length - run + 1):
                yield n, at, run
    for n, body in enumerate(bodies_of(prog)):
        for at, s in enumerate(body):
            if isinstance(s, Node):
                yield n, at, "body"
    for at in range(len(prog.decls)):
        yield -1, at, "decl"
    for at in range(len(prog.funcs)):
        yield -1, at, "func"


def cut(prog, where):
    small = copy.deepcopy(prog)
    n, at, what = where
    if what == "decl":
        del small.decls[at]
    elif what == "func":
        del small.funcs[at]
    else:
        body = bodies_of(small)[n]
        body[at:at + (1 if what == "body" else what)] = body[at].body if what == "body" else []
    return small


def shrink_wild(prog, fails, limit=300):
    tries, progress = 0, True
    while progress and tries < limit:
        progress = False
        for where in list(cuts(prog)):
            small = cut(prog, where)
            tries += 1
            if fails(small):
                prog, progress = small, True
                break
            if tries >= limit:
                break
    return prog
