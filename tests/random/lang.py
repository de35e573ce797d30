# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small concurrent C: syntax, types, and the printer that turns it into C text.

Types are the strings 'int', 'atomic', 'mutex', 'rwlock', 'sem', 'cond', 'thread', 'rmutex' (recursive), 'barrier',
'once', 'void' and the tuples ('ptr', T), ('arr', n, T), ('struct', name), ('fn',) for void (*)(void).

Expressions are tuples: ('k', 3), ('v', 'x'), ('ix', lvalue, e), ('.', lvalue, f), ('->', e, f), ('*', e),
('&', lvalue), ('!', e), ('bin', op, a, b), ('cond', c, a, b), ('null',), ('f', function).
A name is a local of the function or else a global.

Statements are `Stmt(op, args, body, orelse)`; one statement is one line of C, so a race has known lines.
"""

from dataclasses import dataclass, field

from prelude import prelude


@dataclass
class Stmt:
    op: str
    args: tuple = ()
    body: list = field(default_factory=list)
    orelse: list = field(default_factory=list)
    line: int = 0


@dataclass
class Global:
    type: object
    init: object = 0  # int, list of int, expression, or None
    flavour: str = ""  # '', 'static', 'tls', or 'in:FUNCTION' for a static local


@dataclass
class Func:
    name: str
    params: list  # (name, type)
    ret: object  # 'void', 'int', ('ptr', T); thread entries have ret 'entry'
    body: list


@dataclass
class Prog:
    structs: dict  # name -> [(field, type)]
    globals: dict  # name -> Global, in order
    funcs: dict  # name -> Func, in order of definition
    seed: str = ""
    idioms: list = field(default_factory=list)
    real_headers: bool = False  # include the system's instead of our own declarations
    sampled: bool = False  # not all inputs are enumerated: 'race-free' of the exact oracle is not certain

    def text(self, native=False):
        return Printer(self, native).text()


BASE = {
    "int": "int", "atomic": "atomic_int", "mutex": "pthread_mutex_t", "rwlock": "pthread_rwlock_t",
    "sem": "sem_t", "cond": "pthread_cond_t", "thread": "pthread_t", "void": "void",
    "rmutex": "pthread_mutex_t", "barrier": "pthread_barrier_t", "once": "pthread_once_t",
}
STATIC_INIT = {
    "mutex": "PTHREAD_MUTEX_INITIALIZER", "rwlock": "PTHREAD_RWLOCK_INITIALIZER", "cond": "PTHREAD_COND_INITIALIZER",
    "rmutex": "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP", "once": "PTHREAD_ONCE_INIT",
}


def c_type(t, name=""):
    if isinstance(t, str):
        return f"{BASE[t]} {name}".rstrip()
    if t[0] == "ptr":
        return c_type(t[1], "*" + name)
    if t[0] == "arr":
        return c_type(t[2], f"{name}[{t[1]}]")
    if t[0] == "fn":
        return f"void (*{name})(void)"
    return f"struct {t[1]} {name}".rstrip()


def size_of(prog, t):
    """Number of cells: one for each scalar or synchronisation object."""
    if isinstance(t, tuple) and t[0] == "arr":
        return t[1] * size_of(prog, t[2])
    if isinstance(t, tuple) and t[0] == "struct":
        return sum(size_of(prog, ft) for _, ft in prog.structs[t[1]])
    return 1


def cells_of(prog, t):
    """The scalar type of every cell of an object of type t."""
    if isinstance(t, tuple) and t[0] == "arr":
        return cells_of(prog, t[2]) * t[1]
    if isinstance(t, tuple) and t[0] == "struct":
        return [c for _, ft in prog.structs[t[1]] for c in cells_of(prog, ft)]
    return [t]


def field_of(prog, struct, name):
    offset = 0
    for f, t in prog.structs[struct]:
        if f == name:
            return offset, t
        offset += size_of(prog, t)
    raise KeyError(name)


def c_expr(e):
    op = e[0]
    if op == "k":
        return str(e[1])
    if op in ("v", "f"):
        return e[1]
    if op == "null":
        return "NULL"
    if op == "ix":
        return f"{c_expr(e[1])}[{c_expr(e[2])}]"
    if op == ".":
        return f"{c_expr(e[1])}.{e[2]}"
    if op == "->":
        return f"{c_expr(e[1])}->{e[2]}"
    if op == "*":
        return f"(*{c_expr(e[1])})"
    if op == "&":
        return f"&{c_expr(e[1])}"
    if op == "!":
        return f"!({c_expr(e[1])})"
    if op == "bin":
        return f"({c_expr(e[2])} {e[1]} {c_expr(e[3])})"
    if op == "cond":
        return f"({c_expr(e[1])} ? {c_expr(e[2])} : {c_expr(e[3])})"
    raise ValueError(e)


CALLS = {  # op -> text of the call, with the printed arguments; a destination comes first where there is one
    "lock": "pthread_mutex_lock({0})", "unlock": "pthread_mutex_unlock({0})",
    "rdlock": "pthread_rwlock_rdlock({0})", "wrlock": "pthread_rwlock_wrlock({0})",
    "rwunlock": "pthread_rwlock_unlock({0})", "wait": "sem_wait({0})", "post": "sem_post({0})",
    "minit": "pthread_mutex_init({0}, NULL)", "signal": "pthread_cond_signal({0})",
    "broadcast": "pthread_cond_broadcast({0})", "cwait": "pthread_cond_wait({0}, {1})",
    "abegin": "__VERIFIER_atomic_begin()", "aend": "__VERIFIER_atomic_end()",
    "join": "pthread_join({0}, NULL)", "astore": "atomic_store({0}, {1})", "free": "free({0})",
    "texit": "pthread_exit(NULL)", "detach": "pthread_detach({0})",
    "sinit": "sem_init({0}, 0, {1})", "binit": "pthread_barrier_init({0}, NULL, {1})",
    "barrier": "pthread_barrier_wait({0})", "once": "pthread_once({0}, {1})", "icall": "{0}()",
    "mdestroy": "pthread_mutex_destroy({0})",
    # with a destination
    "trylock": "{0} = pthread_mutex_trylock({1})", "tryrd": "{0} = pthread_rwlock_tryrdlock({1})",
    "trywr": "{0} = pthread_rwlock_trywrlock({1})", "trywait": "{0} = sem_trywait({1})",
    "aload": "{0} = atomic_load({1})", "aadd": "{0} = atomic_fetch_add({1}, {2})",
    "axchg": "{0} = atomic_exchange({1}, {2})", "nondet": "{0} = __VERIFIER_nondet_bool()",
    "set": "{0} = {1}",
}
DEST = {"trylock", "tryrd", "trywr", "trywait", "aload", "aadd", "axchg", "nondet", "range", "set"}
QUIET = {"abegin", "aend", "decl", "block", "return", "break"}


class Printer:
    def __init__(self, prog, native=False):
        self.prog, self.native, self.lines = prog, native, []

    def out(self, text):
        self.lines.append(text)

    def text(self):
        self.headers()
        for name, fields in self.prog.structs.items():
            self.out(f"struct {name} {{ " + " ".join(c_type(t, f) + ";" for f, t in fields) + " };")
        for name, g in self.prog.globals.items():
            if isinstance(g.init, tuple) and g.init[0] == "f":
                self.out(self.signature(self.prog.funcs[g.init[1]]) + ";")
        for name, g in self.prog.globals.items():
            if not g.flavour.startswith("in:"):
                self.out(self.global_text(name, g))
        for f in self.prog.funcs.values():
            self.out(self.signature(f) + " {")
            for name, g in self.prog.globals.items():
                if g.flavour == "in:" + f.name:
                    self.out("  " + self.global_text(name, g))
            if f.ret == "entry" and f.params:
                self.out(f"  {c_type(f.params[0][1], f.params[0][0])} = " + self.entry_param(f))
            self.block(f.body, 1)
            if f.ret == "entry":
                self.out("  return NULL;")
            elif f.name == "main":
                self.out("  return 0;")
            self.out("}")
        return "\n".join(self.lines) + "\n"

    def headers(self):
        needs_real = self.prog.real_headers or any(g.type == "rmutex" for g in self.prog.globals.values())
        for line in prelude(self.native, needs_real):
            self.out(line)

    def global_text(self, name, g):
        prefix = "_Thread_local " if g.flavour == "tls" else "static " if g.flavour else ""
        text = prefix + c_type(g.type, name)
        init = self.initialiser(g.type, g.init)
        return text + (f" = {init};" if init else ";")

    def initialiser(self, t, init):
        if isinstance(t, str) and t in STATIC_INIT:
            return STATIC_INIT[t]
        if isinstance(t, tuple) and t[0] == "arr":
            if t[2] in STATIC_INIT:
                return "{" + ", ".join([STATIC_INIT[t[2]]] * t[1]) + "}"
            if isinstance(t[2], tuple) and t[2][0] == "struct" and self.prog.structs[t[2][1]][0][1] in STATIC_INIT:
                return "{" + ", ".join([self.initialiser(t[2], 0)] * t[1]) + "}"
            if isinstance(init, list):
                return "{" + ", ".join(c_expr(i) if isinstance(i, tuple) else str(i) for i in init) + "}"
            return None
        if isinstance(t, tuple) and t[0] == "struct":
            members = [f".{f} = {STATIC_INIT[ft]}" for f, ft in self.prog.structs[t[1]] if ft in STATIC_INIT]
            return "{" + ", ".join(members) + "}" if members else None
        if isinstance(init, tuple):
            return c_expr(init)
        return str(init) if t in ("int", "atomic") and init else None

    def signature(self, f):
        if f.ret == "entry":
            return f"void *{f.name}(void *{'arg' if f.params else 'unused'})"
        params = ", ".join(c_type(t, n) for n, t in f.params) or "void"
        return f"{'' if f.name == 'main' else 'static '}{c_type(f.ret, f.name)}({params})"

    def entry_param(self, f):
        return "(int)(intptr_t)arg;" if f.params[0][1] == "int" else "arg;"

    def block(self, body, depth):
        for s in body:
            self.stmt(s, depth)

    def stmt(self, s, depth):
        pad = "  " * depth
        pause = "pause_randomly(); " if self.native and s.op not in QUIET else ""
        s.line = len(self.lines) + 1
        if s.op in ("if", "while", "for", "span"):
            self.out(f"{pad}{pause}{self.head(s)} {{")
            self.block(s.body, depth + 1)
            if s.orelse:
                self.out(f"{pad}}} else {{")
                self.block(s.orelse, depth + 1)
            self.out(pad + "}")
            return
        self.out(f"{pad}{pause}{self.simple(s)};")

    def head(self, s):
        if s.op == "for":
            name, count = s.args
            return f"for (int {name} = 0; {name} < {count}; {name}++)"
        if s.op == "span":
            name, low, high, stride = s.args
            return f"for (int {name} = {c_expr(low)}; {name} < {c_expr(high)}; {name} += {stride})"
        return f"{s.op} ({c_expr(s.args[0])})"

    def simple(self, s):
        op, a = s.op, s.args
        if op == "decl":
            name, t, init = a
            if isinstance(init, str):
                return c_type(t, name) + " = " + init
            if init is None:
                text = self.initialiser(t, 0)
                return c_type(t, name) + (f" = {text}" if text else "")
            return c_type(t, name) + " = " + c_expr(init)
        if op == "inc":
            return f"{c_expr(a[0])}++"
        if op == "await":
            return f"while (atomic_load({c_expr(a[0])}) != {a[1]})"
        if op == "create":
            return f"pthread_create({c_expr(('&', a[0]))}, NULL, {a[1]}, {self.create_arg(a[1], a[2])})"
        if op == "call":
            call = f"{a[1]}({', '.join(c_expr(x) for x in a[2])})"
            return f"{c_expr(a[0])} = {call}" if a[0] else call
        if op == "return":
            return f"return {c_expr(a[0])}" if a[0] else "return"
        if op == "calloc":
            return f"{c_expr(a[0])} = calloc(1, sizeof({c_type(a[1])}))"
        if op == "memset":
            return f"memset({c_expr(a[0])}, 0, {a[1]} * sizeof(int))"
        if op == "memcpy":
            return f"memcpy({c_expr(a[0])}, {c_expr(a[1])}, {a[2]} * sizeof(int))"
        if op == "break":
            return "break"
        if op == "range":
            return self.range(c_expr(a[0]), a[1], a[2])
        if op == "callocn":
            return f"{c_expr(a[0])} = calloc((size_t){c_expr(a[2])}, sizeof({c_type(a[1])}))"
        return CALLS[op].format(*(c_expr(x) if isinstance(x, tuple) else x for x in a))

    def range(self, name, low, high):
        """An input; without an upper bound the enumeration tries a few values only (see Prog.sampled)."""
        if self.native:
            return f"{name} = {low} + __VERIFIER_nondet_int() + __VERIFIER_nondet_int()"
        above = "" if self.prog.sampled else f" || {name} > {high}"
        return f"{name} = __VERIFIER_nondet_int(); if ({name} < {low}{above}) abort()"

    def create_arg(self, entry, arg):
        if arg is None:
            return "NULL"
        f = self.prog.funcs[entry]
        is_int = f.params and f.params[0][1] == "int"
        return f"(void *)(intptr_t){c_expr(arg)}" if is_int else c_expr(arg)
