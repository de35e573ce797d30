# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program smaller, as long as `fails` keeps saying so.

Removes functions' statements one by one and in runs, replaces a control statement by its body, and drops what is no
longer used.
"""

import copy

from compile import BadProgram
from lang import Prog


def clone(prog):
    return copy.deepcopy(prog)


def blocks(prog):
    """Every statement list of the program, outermost first."""
    out = []

    def walk(body):
        out.append(body)
        for s in body:
            walk(s.body)
            if s.orelse:
                walk(s.orelse)
    for f in prog.funcs.values():
        walk(f.body)
    return out


def used_names(prog):
    names = set()

    def walk(e):
        if isinstance(e, (tuple, list)):
            for x in e:
                walk(x)
        elif isinstance(e, str):
            names.add(e)
    for body in blocks(prog):
        for s in body:
            walk(s.args)
    for g in prog.globals.values():
        walk(g.init)
        walk(g.type)
        walk(g.flavour[3:] if g.flavour.startswith("in:") else None)
    for f in prog.funcs.values():
        walk(f.params)
        walk(f.ret)
    return names


def drop_unused(prog):
    while True:
        names = used_names(prog)
        for table in (prog.globals, prog.funcs, prog.structs):
            for n in [n for n in table if n not in names and n != "main"]:
                del table[n]
                break
            else:
                continue
            break
        else:
            return prog


def candidates(prog):
    """Smaller variants, larger cuts first; each is (block number, first, count or 'body')."""
    sizes = [len(b) for b in blocks(prog)]
    for size in (8, 4, 2, 1):
        for n, length in enumerate(sizes):
            for at in range(0, length - size + 1):
                yield (n, at, size)
    for n, body in enumerate(blocks(prog)):
        for at, s in enumerate(body):
            if s.body:
                yield (n, at, "body")
            if s.orelse:
                yield (n, at, "orelse")
            if s.op == "if":
                yield (n, at, "no else")


def apply(prog, cut):
    p = clone(prog)
    n, at, what = cut
    body = blocks(p)[n]
    if what == "no else":
        body[at].orelse = []
    elif what in ("body", "orelse"):
        body[at:at + 1] = getattr(body[at], what)
    else:
        del body[at:at + what]
    return drop_unused(p)


def size(prog):
    return sum(len(b) for b in blocks(prog)) + len(prog.globals) + len(prog.funcs)


def shrink(prog: Prog, fails, limit=400):
    prog, tries, progress = drop_unused(clone(prog)), 0, True
    while progress and tries < limit:
        progress = False
        for cut in list(candidates(prog)):
            try:
                smaller = apply(prog, cut)
            except IndexError:
                continue
            if size(smaller) >= size(prog):
                continue
            tries += 1
            try:
                if fails(smaller):
                    prog, progress = smaller, True
                    break
            except (BadProgram, KeyError, IndexError, TypeError):
                pass
            if tries >= limit:
                break
    return prog
