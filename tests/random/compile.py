# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns the small C of lang.py into flat code for machine.py.

Each function becomes a list of instructions:
  ('do', line, f)              f(run, locals): local work, plain accesses
  ('jz', line, f, target)      ('jmp', target)
  ('call', line, name, args, dest)   ('ret', line, f)
  ('sync', line, kind, extra)  operands were computed before into locals $0, $1; the result goes to $r
Operands of a synchronisation are read before it, so their accesses belong to the step before.
"""

from lang import DEST, cells_of, field_of, size_of

SYNC_OPS = {
    "lock", "unlock", "rdlock", "wrlock", "rwunlock", "wait", "post", "cwait", "abegin", "aend", "join",
    "astore", "texit", "trylock", "tryrd", "trywr", "trywait", "aload", "aadd", "axchg", "nondet", "await",
    "barrier", "range",
}
LOCAL_CALLS = {"minit", "signal", "broadcast", "detach", "sinit", "mdestroy", "binit"}


class BadProgram(Exception):
    """The program text makes no sense (the shrinker removed something that was needed)."""


OPS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "%": lambda a, b: a % b,
    "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b), "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}


def names_addressed(body, found):
    def walk(e):
        if not isinstance(e, tuple) or not e:
            return
        if e[0] == "&":
            lv = e[1]
            while lv[0] in ("ix", "."):
                lv = lv[1]
            if lv[0] == "v":
                found.add(lv[1])
        for x in e[1:]:
            if isinstance(x, tuple):
                walk(x)
            elif isinstance(x, list):
                for y in x:
                    walk(y)

    for s in body:
        for a in s.args:
            if isinstance(a, list):
                for x in a:
                    walk(x)
            walk(a)
        if s.op == "create":
            walk(("&", s.args[0]))
        names_addressed(s.body, found)
        names_addressed(s.orelse, found)
    return found


class FuncCompiler:
    def __init__(self, prog, func):
        self.prog, self.func, self.code = prog, func, []
        self.addressed = names_addressed(func.body, set())
        self.types = {}  # local -> type
        self.in_memory = set()
        self.breaks = []

    def compile(self):
        for name, t in self.func.params:
            self.types[name] = t
            if name in self.addressed:
                raise BadProgram("address of a parameter")
        self.block(self.func.body)
        self.code.append(("ret", 0, None))
        return self.code

    # ---- expressions: closures (run, locals) -> value; addresses are (object, cell)

    def typeof(self, e):
        op = e[0]
        if op == "v":
            if e[1] in self.types:
                return self.types[e[1]]
            return self.global_named(e[1]).type
        if op == "ix":
            t = self.typeof(e[1])
            return t[2] if t[0] == "arr" else t[1]
        if op == ".":
            return field_of(self.prog, self.typeof(e[1])[1], e[2])[1]
        if op == "->":
            return field_of(self.prog, self.typeof(e[1])[1][1], e[2])[1]
        if op == "*":
            return self.typeof(e[1])[1]
        if op == "&":
            return ("ptr", self.typeof(e[1]))
        if op == "cond":
            return self.typeof(e[2])
        return "int"

    def global_named(self, name):
        g = self.prog.globals.get(name)
        if g is None or g.flavour.startswith("in:") and g.flavour[3:] != self.func.name:
            raise BadProgram(name)
        return g

    def addr(self, e, line):
        op = e[0]
        if op == "v":
            name = e[1]
            if name in self.types:
                if name not in self.in_memory:
                    raise BadProgram("address of a register")
                return lambda r, L: L[name]
            if self.global_named(name).flavour == "tls":
                return lambda r, L: ((name, r.tid), 0)
            where = (name, 0)
            return lambda r, L: where
        if op == "ix":
            base_type = self.typeof(e[1])
            i = self.value(e[2], line)
            if base_type[0] == "arr":
                base, n, size = self.addr(e[1], line), base_type[1], size_of(self.prog, base_type[2])
            else:
                base, n, size = self.value(e[1], line), 1 << 30, size_of(self.prog, base_type[1])

            def index(r, L):
                p, k = base(r, L), i(r, L)
                if p == 0 or not 0 <= k < n:
                    r.undefined("index")
                return (p[0], p[1] + k * size)
            return index
        if op in (".", "->"):
            if op == ".":
                struct, base = self.typeof(e[1])[1], self.addr(e[1], line)
            else:
                struct, base = self.typeof(e[1])[1][1], self.value(e[1], line)
            offset = field_of(self.prog, struct, e[2])[0]

            def member(r, L):
                p = base(r, L)
                if p == 0:
                    r.undefined("null")
                return (p[0], p[1] + offset)
            return member
        if op == "*":
            return self.value(e[1], line)
        raise BadProgram(f"not an lvalue: {e}")

    def value(self, e, line):
        op = e[0]
        if op == "k":
            k = e[1]
            return lambda r, L: k
        if op == "null":
            return lambda r, L: 0
        if op == "f":
            name = e[1]
            if name not in self.prog.funcs:
                raise BadProgram(name)
            return lambda r, L: name
        if op == "&":
            return self.addr(e[1], line)
        if op == "!":
            f = self.value(e[1], line)
            return lambda r, L: int(not f(r, L))
        if op == "cond":
            c, a, b = (self.value(x, line) for x in e[1:])
            return lambda r, L: a(r, L) if c(r, L) else b(r, L)
        if op == "bin":
            a, b = self.value(e[2], line), self.value(e[3], line)
            if e[1] == "&&":
                return lambda r, L: int(bool(a(r, L)) and bool(b(r, L)))
            if e[1] == "||":
                return lambda r, L: int(bool(a(r, L)) or bool(b(r, L)))
            g = OPS[e[1]]
            return lambda r, L: g(a(r, L), b(r, L))
        if op == "v" and e[1] in self.types and e[1] not in self.in_memory:
            name = e[1]
            return lambda r, L: L[name]
        t = self.typeof(e)
        if isinstance(t, tuple) and t[0] == "arr":
            return self.addr(e, line)
        where = self.addr(e, line)
        return lambda r, L: r.read(where(r, L), line)

    def store(self, lv, line):
        """(run, locals, value) -> None."""
        if lv[0] == "v" and lv[1] in self.types and lv[1] not in self.in_memory:
            name = lv[1]

            def put(r, L, v):
                L[name] = v
            return put
        where = self.addr(lv, line)
        return lambda r, L, v: r.write(where(r, L), v, line)

    # ---- statements

    def block(self, body):
        for s in body:
            self.stmt(s)

    def do(self, line, f):
        self.code.append(("do", line, f))

    def stmt(self, s):
        op, a, line = s.op, s.args, s.line
        if op == "decl":
            self.declare(a[0], a[1], a[2], line)
        elif op == "set":
            self.assign(a[0], a[1], line)
        elif op == "inc":
            read, put = self.value(a[0], line), self.store(a[0], line)
            self.do(line, lambda r, L: put(r, L, read(r, L) + 1))
        elif op in ("if", "while", "for", "span"):
            self.control(s)
        elif op == "break":
            self.breaks[-1].append(len(self.code))
            self.code.append(None)
        elif op == "call":
            if a[1] not in self.prog.funcs:
                raise BadProgram(a[1])
            args = [self.value(x, line) for x in a[2]]
            self.code.append(("call", line, a[1], args, self.store(a[0], line) if a[0] else None))
        elif op == "icall":
            self.code.append(("call", line, self.value(a[0], line), [], None))
        elif op == "once":
            self.once(a, line)
        elif op == "return":
            self.code.append(("ret", line, self.value(a[0], line) if a[0] else None))
        elif op in ("memset", "memcpy", "calloc", "callocn", "free"):
            self.memory(op, a, line)
        elif op in LOCAL_CALLS:
            self.local_call(op, a, line)
        elif op == "create":
            self.create(a, line)
        elif op in SYNC_OPS:
            self.sync(op, a, line)
        else:
            raise BadProgram(op)

    def declare(self, name, t, init, line):
        if name in self.types:
            raise BadProgram("declared twice")
        self.types[name] = t
        scalar = t in ("int", "thread") or t[0] in ("ptr", "fn")
        if not scalar or name in self.addressed:
            self.in_memory.add(name)
            cells = cells_of(self.prog, t)
            self.do(line, lambda r, L: L.__setitem__(name, r.allocate(cells, "local")))
            if init is None or isinstance(init, str):
                return
            put, value = self.store(("v", name), line), self.value(init, line)
        else:
            put = self.store(("v", name), line)
            value = self.value(init, line) if isinstance(init, tuple) else (lambda r, L: 0)
        self.do(line, lambda r, L: put(r, L, value(r, L)))

    def assign(self, lv, e, line):
        t = self.typeof(lv)
        if isinstance(t, tuple) and t[0] == "struct":
            n, to, source = size_of(self.prog, t), self.addr(lv, line), self.addr(e, line)
            self.do(line, lambda r, L: r.copy(to(r, L), source(r, L), n, line))
            return
        put, value = self.store(lv, line), self.value(e, line)
        self.do(line, lambda r, L: put(r, L, value(r, L)))

    def control(self, s):
        line, code = s.line, self.code
        outer = dict(self.types), set(self.in_memory)
        if s.op == "if":
            test = len(code)
            cond = self.value(s.args[0], line)
            code.append(None)
            self.block(s.body)
            if s.orelse:
                skip = len(code)
                code.append(None)
                code[test] = ("jz", line, cond, len(code))
                self.types, self.in_memory = dict(outer[0]), set(outer[1])
                self.block(s.orelse)
                code[skip] = ("jmp", len(code))
            else:
                code[test] = ("jz", line, cond, len(code))
        else:
            self.loop(s)
        self.types, self.in_memory = outer

    def loop(self, s):
        line, code = s.line, self.code
        if s.op == "for":
            name, count = s.args
            if name in self.types:
                raise BadProgram("declared twice")
            self.types[name] = "int"
            self.do(line, lambda r, L: L.__setitem__(name, 0))
            cond, stride = lambda r, L: L[name] < count, 1
        elif s.op == "span":
            name, low, high, stride = s.args
            if name in self.types:
                raise BadProgram("declared twice")
            start, limit = self.value(low, line), self.value(high, line)
            self.types[name] = "int"
            self.do(line, lambda r, L: L.__setitem__(name, start(r, L)))
            cond = lambda r, L: L[name] < limit(r, L)
        else:
            cond = self.value(s.args[0], line)
        test = len(code)
        code.append(None)
        self.breaks.append([])
        self.block(s.body)
        if s.op != "while":
            self.do(line, lambda r, L: L.__setitem__(name, L[name] + stride))
        code.append(("jmp", test))
        code[test] = ("jz", line, cond, len(code))
        for at in self.breaks.pop():
            code[at] = ("jmp", len(code))

    def memory(self, op, a, line):
        if op == "memset":
            p, n = self.value(a[0], line), a[1]
            self.do(line, lambda r, L: r.fill(p(r, L), n, line))
        elif op == "memcpy":
            p, q, n = self.value(a[0], line), self.value(a[1], line), a[2]
            self.do(line, lambda r, L: r.copy(p(r, L), q(r, L), n, line))
        elif op == "calloc":
            put, cells = self.store(a[0], line), cells_of(self.prog, a[1])
            self.do(line, lambda r, L: put(r, L, r.allocate(cells, "heap")))
        elif op == "callocn":
            put, cells, n = self.store(a[0], line), cells_of(self.prog, a[1]), self.value(a[2], line)
            self.do(line, lambda r, L: put(r, L, r.allocate(cells * n(r, L), "heap")))
        else:
            p = self.value(a[0], line)
            self.do(line, lambda r, L: r.release(p(r, L), line))

    def local_call(self, op, a, line):
        p = self.value(a[0], line)
        if op in ("minit", "sinit", "binit"):
            fresh = "free" if op == "minit" else self.value(a[1], line)(None, None)
            fresh = (fresh, 0, 0) if op == "binit" else fresh
            self.do(line, lambda r, L: r.initialise(p(r, L), fresh))
        elif op == "mdestroy":
            self.do(line, lambda r, L: r.destroy(p(r, L)))
        else:
            self.do(line, lambda r, L: p(r, L))

    def once(self, a, line):
        """Two synchronisations around the call: begin says whether it is ours to make."""
        if a[1] not in self.prog.funcs:
            raise BadProgram(a[1])
        p = self.value(a[0], line)
        put = lambda r, L: L.__setitem__("$0", p(r, L))
        self.do(line, put)
        self.code.append(("sync", line, "once_begin", None))
        self.code.append(("jz", line, lambda r, L: L["$r"], len(self.code) + 4))
        self.code.append(("call", line, a[1], [], None))
        self.do(line, put)
        self.code.append(("sync", line, "once_end", None))

    def create(self, a, line):
        if a[1] not in self.prog.funcs:
            raise BadProgram(a[1])
        takes = self.prog.funcs[a[1]].params
        if bool(takes) and a[2] is None:
            raise BadProgram("no argument")
        arg = self.value(a[2], line) if a[2] is not None else (lambda r, L: 0)
        self.do(line, lambda r, L: L.__setitem__("$0", arg(r, L)))
        self.code.append(("sync", line, "create", a[1]))
        put = self.store(a[0], line)
        self.do(line, lambda r, L: put(r, L, L["$r"]))

    def sync(self, op, a, line):
        operands = list(a)
        dest = operands.pop(0) if op in DEST else None
        extra = operands.pop() if op == "await" else None
        if op == "range":
            extra, operands = tuple(range(a[1], a[2] + 1)), []
        values = [self.value(x, line) for x in operands]

        def prepare(r, L):
            for i, f in enumerate(values):
                L["$%d" % i] = f(r, L)
        if values:
            self.do(line, prepare)
        if op == "cwait":
            # spurious wake-ups are allowed, so waiting is: give the mutex up, take it again
            self.do(line, lambda r, L: L.__setitem__("$0", L["$1"]))
            self.code.append(("sync", line, "unlock", None))
            self.code.append(("sync", line, "lock", None))
            return
        self.code.append(("sync", line, op, extra))
        if op == "barrier":
            self.do(line, lambda r, L: L.update({"$0": L["$r"][0], "$1": L["$r"][1]}))
            self.code.append(("sync", line, "leave", None))
        if dest is not None:
            put = self.store(dest, line)
            self.do(line, lambda r, L: put(r, L, L["$r"]))


def compile_prog(prog):
    try:
        return {f.name: FuncCompiler(prog, f).compile() for f in prog.funcs.values()}
    except (KeyError, IndexError, TypeError) as e:
        raise BadProgram(str(e)) from e
