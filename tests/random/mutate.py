# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small random changes to a program, for shapes that no topic thought of.

What comes out may make no sense or have undefined behaviour; the enumeration finds that out and such programs are
not counted.
"""

import copy

from lang import Stmt
from shrink import blocks


def rewrite(e, f):
    """The expression with f applied to every part, inside out."""
    if isinstance(e, tuple):
        return f(tuple(rewrite(x, f) for x in e))
    if isinstance(e, list):
        return [rewrite(x, f) for x in e]
    return e


def pick_stmt(rng, prog, ops=None):
    found = [(b, i) for b in blocks(prog) for i, s in enumerate(b) if ops is None or s.op in ops]
    return rng.choice(found) if found else (None, None)


def delete(rng, prog):
    b, i = pick_stmt(rng, prog, {"lock", "unlock", "join", "wait", "post", "rdlock", "wrlock", "astore", "set", "inc",
                                 "call", "if", "signal", "abegin", "create", "await"})
    if b is not None:
        del b[i]


def swap(rng, prog):
    b, i = pick_stmt(rng, prog)
    if b is not None and i + 1 < len(b):
        b[i], b[i + 1] = b[i + 1], b[i]


def duplicate(rng, prog):
    b, i = pick_stmt(rng, prog, {"lock", "unlock", "post", "inc", "set", "call", "if", "for", "create", "astore",
                                 "aadd"})
    if b is not None:
        b.insert(rng.randrange(i, len(b) + 1), copy.deepcopy(b[i]))


def move(rng, prog):
    b, i = pick_stmt(rng, prog)
    if b is not None:
        s = b.pop(i)
        b.insert(rng.randrange(len(b) + 1), s)


def transplant(rng, prog):
    """A statement that names globals only, copied to another place."""
    b, i = pick_stmt(rng, prog, {"inc", "lock", "unlock", "set", "astore", "post", "abegin", "aend"})
    to = rng.choice(blocks(prog))
    if b is not None:
        to.insert(rng.randrange(len(to) + 1), copy.deepcopy(b[i]))


def negate(rng, prog):
    b, i = pick_stmt(rng, prog, {"if"})
    if b is not None:
        b[i].args = (("!", b[i].args[0]),)


def rename(rng, prog):
    """One use of a global becomes another global of the same type."""
    b, i = pick_stmt(rng, prog)
    if b is None:
        return
    used = []
    rewrite(b[i].args, lambda e: used.append(e[1]) or e if e[:1] == ("v",) and e[1] in prog.globals else e)
    if not used:
        return
    old = rng.choice(used)
    same = [n for n, g in prog.globals.items() if g.type == prog.globals[old].type and n != old]
    if same:
        new = rng.choice(same)
        b[i].args = rewrite(b[i].args, lambda e: ("v", new) if e == ("v", old) else e)


def constant(rng, prog):
    b, i = pick_stmt(rng, prog)
    if b is not None and b[i].op != "sinit":
        b[i].args = rewrite(b[i].args, lambda e: ("k", rng.randrange(3)) if e[:1] == ("k",) and rng.random() < 0.5
                            else e)


def conditional(rng, prog):
    """A run of statements moves under an unknown or a global condition."""
    b, i = pick_stmt(rng, prog)
    if b is None:
        return
    n = rng.randrange(1, 4)
    part = b[i:i + n]
    if any(s.op in ("decl", "return", "break") for s in part):
        return
    ints = [x for x, g in prog.globals.items() if g.type == "int" and not g.flavour.startswith("in:")]
    name = f"z{rng.randrange(1000)}"
    if ints and rng.random() < 0.4:
        b[i:i + n] = [Stmt("if", (("v", rng.choice(ints)),), part)]
    else:
        b[i:i + n] = [Stmt("decl", (name, "int", ("k", 0))), Stmt("nondet", (("v", name),)),
                      Stmt("if", (("v", name),), part)]


def repeat(rng, prog):
    """A run of statements becomes the body of a loop."""
    b, i = pick_stmt(rng, prog)
    if b is None:
        return
    n = rng.randrange(1, 4)
    part = b[i:i + n]
    if not any(s.op in ("decl", "return", "join") for s in part):
        b[i:i + n] = [Stmt("for", (f"y{rng.randrange(1000)}", 2), part)]


CHANGES = [delete, delete, swap, duplicate, move, transplant, negate, rename, rename, constant, conditional, repeat]


def mutate(rng, prog, times):
    for _ in range(times):
        rng.choice(CHANGES)(rng, prog)
    return prog
