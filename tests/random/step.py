# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One step of one thread: memory, plain accesses, calls; stops in front of the next synchronisation.

Memory is a dictionary from (object, cell) to a value: an int, an address, or the state of a lock. Objects and threads
are named after the thread that made them and a count, so that equal states have equal names.
"""

FRESH = {"mutex": "free", "rwlock": (None, ()), "cond": 0, "sem": 0, "int": 0, "atomic": 0, "thread": 0,
         "rmutex": ("recursive", None, 0), "once": "new", "barrier": "raw"}


class Undefined(Exception):
    pass


class Cut(Exception):
    """Too many steps or states."""


def initial_value(cell):
    return FRESH.get(cell, 0) if isinstance(cell, str) else 0


class Run:
    """One step of one thread: works on copies of the state it starts from."""

    def __init__(self, machine, mem, threads, tid):
        self.machine, self.mem, self.threads, self.tid = machine, dict(mem), dict(threads), tid
        frames, self.recent, self.made, self.ended = self.threads[tid]
        self.frames = [(f, pc, dict(L), dest) for f, pc, L, dest in ((f, pc, dict(L), d) for f, pc, L, d in frames)]
        self.recent = dict(self.recent)
        self.races = []

    def undefined(self, why):
        raise Undefined(why)

    def touch(self, where, kind, line):
        if not isinstance(where, tuple) or where not in self.mem:
            raise Undefined("address")
        old = self.recent.get(where)
        self.recent[where] = self.merge(old, kind, line)
        for tid, (_, recent, _, _) in self.threads.items():
            if tid == self.tid:
                continue
            other = recent.get(where) if recent else None
            if other and self.conflict(other[0], kind):
                self.races.append((where, other[1], (line, kind)))

    @staticmethod
    def merge(old, kind, line):
        if old is None:
            return (kind, ((line, kind),))
        lines = old[1] if (line, kind) in old[1] else old[1] + ((line, kind),)
        return (max(old[0], kind), lines)

    @staticmethod
    def conflict(a, b):
        return a + b >= 1  # 0 read, 1 write

    def read(self, where, line):
        self.touch(where, 0, line)
        return self.mem[where]

    def write(self, where, value, line):
        self.touch(where, 1, line)
        self.mem[where] = value

    def fill(self, where, n, line):
        for i in range(n):
            self.write((where[0], where[1] + i), 0, line)

    def copy(self, to, source, n, line):
        if to == 0 or source == 0:
            raise Undefined("null")
        values = [self.read((source[0], source[1] + i), line) for i in range(n)]
        for i, v in enumerate(values):
            self.write((to[0], to[1] + i), v, line)

    def allocate(self, cells, flavour):
        obj = (self.tid, self.made, flavour)
        self.made += 1
        for i, c in enumerate(cells):
            value = initial_value(c)
            self.mem[(obj, i)] = "raw" if value == "free" and flavour == "heap" else value
        return (obj, 0)

    def release(self, p, line):
        if p == 0:
            return
        i = 0
        while (p[0], i) in self.mem:
            self.touch((p[0], i), 1, line)
            del self.mem[(p[0], i)]
            i += 1
        if i == 0:
            raise Undefined("double free")

    def initialise(self, p, value):
        if p not in self.mem:
            raise Undefined("address")
        self.be_alone_with(p)
        self.mem[p] = value

    def destroy(self, p):
        if self.mem.get(p) != "free":
            raise Undefined("destroyed while used")
        self.be_alone_with(p)
        self.mem[p] = "raw"

    def be_alone_with(self, p):
        """Locks have no bytes here: a beginning or an end beside threads that may use the object is not judged."""
        if isinstance(p[0], str) and any(t != self.tid and not self.mem.get(("$joined", t)) for t in self.threads):
            raise Undefined("lock begun or ended beside other threads")

    # ---- running

    def synchronise(self, choice):
        """Performs the synchronisation in front of which the thread stands."""
        f, pc, L, dest = self.frames[-1]
        _, line, kind, extra = self.machine.code[f][pc]
        result = self.machine.perform(self, kind, extra, L, choice)
        if kind not in ("nondet", "range"):
            self.recent = {}
        if self.frames:
            L["$r"] = result
            L.pop("$0", None)
            L.pop("$1", None)
            self.frames[-1] = (f, pc + 1, L, dest)

    def advance(self):
        """Runs up to the next synchronisation, or to the end."""
        code, steps = self.machine.code, 0
        while self.frames:
            f, pc, L, dest = self.frames[-1]
            ins = code[f][pc]
            op = ins[0]
            steps += 1
            if steps > 2000:
                raise Cut("steps")
            if op == "sync":
                return
            if op == "do":
                ins[2](self, L)
                pc += 1
            elif op == "jz":
                pc = pc + 1 if ins[2](self, L) else ins[3]
            elif op == "jmp":
                pc = ins[1]
            elif op == "call":
                self.enter(ins, L)
                continue
            else:
                self.leave(ins, L)
                continue
            self.frames[-1] = (f, pc, L, dest)

    def enter(self, ins, L):
        f, pc, _, dest = self.frames[-1]
        _, _, name, args, put = ins
        if callable(name):
            name = name(self, L)
            if name == 0:
                raise Undefined("null")
        params = self.machine.prog.funcs[name].params
        self.frames[-1] = (f, pc + 1, L, dest)
        if len(self.frames) > 8:
            raise Cut("depth")
        self.frames.append((name, 0, {p: a(self, L) for (p, _), a in zip(params, args)}, put))

    def leave(self, ins, L):
        value = ins[2](self, L) if ins[2] else 0
        put = self.frames.pop()[3]
        if self.frames and put:
            put(self, self.frames[-1][2], value)

    def result(self):
        frames = tuple((f, pc, tuple(sorted(L.items())), d) for f, pc, L, d in self.frames)
        self.threads[self.tid] = (frames, self.recent, self.made, self.ended)
        return self.mem, self.threads
