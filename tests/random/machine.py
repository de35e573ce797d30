# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decides by exhaustive enumeration whether a program of lang.py has a data race.

A state holds all threads, each stopped in front of a synchronisation, and the plain accesses each made since its
latest one (`recent`). One step of a thread is that synchronisation and everything up to the next. Two conflicting
accesses can be adjacent in some interleaving exactly when, somewhere, one thread's step touches a cell that is in
the `recent` set of another thread: nothing that thread did since could have ordered them. Steps are therefore enough
of an interleaving, and states that were seen before are not visited again.

Values of races found first on a path are exact; a path is not followed beyond its first race.

Two readings of a failed try-lock: `strict` (it fails only while the lock is held) and not (it may fail any time, as
C11 permits). A program whose answer depends on the reading is `ambiguous`.
"""

from compile import compile_prog
from lang import cells_of

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
        self.mem[p] = value

    def destroy(self, p):
        if self.mem.get(p) != "free":
            raise Undefined("destroyed while used")
        self.mem[p] = "raw"

    # ---- running

    def synchronise(self, choice):
        """Performs the synchronisation in front of which the thread stands."""
        f, pc, L, dest = self.frames[-1]
        _, line, kind, extra = self.machine.code[f][pc]
        result = self.machine.perform(self, kind, extra, L, choice)
        if kind != "nondet":
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


class Machine:
    def __init__(self, prog, max_states=6000, strict=True):
        self.prog, self.code = prog, compile_prog(prog)
        self.max_states, self.strict = max_states, strict
        self.races, self.states, self.used_try = set(), 0, False

    # ---- the effect of each synchronisation

    def enabled(self, mem, threads, tid):
        """The choices of this thread's next step: none when it has to wait."""
        frames, _, _, ended = threads[tid]
        if ended:
            return ()
        if not frames:
            return (0,)
        f, pc, L, _ = frames[-1]
        _, _, kind, extra = self.code[f][pc]
        L = dict(L)
        p = L.get("$0")
        if kind == "nondet":
            return (0, 1)
        if kind in ("start", "unlock", "rwunlock", "post", "aload", "astore", "aadd", "axchg", "aend", "create", "texit",
                    "barrier", "once_end"):
            return (0,)
        if kind == "abegin":
            return (0,) if mem[("$atomic", 0)] == "free" else ()
        if kind == "join":
            return self.join_enabled(threads, p)
        if p not in mem:
            return (0,)  # undefined, found when performed
        if kind == "once_begin":
            return () if mem[p] == "busy" else (0,)
        if kind == "leave":
            return (0,) if mem[p][2] > L["$1"] else ()
        return self.lock_enabled(kind, mem[p], extra, tid)

    def join_enabled(self, threads, p):
        if p not in threads:
            return (0,)
        return (0,) if threads[p][3] else ()

    def lock_enabled(self, kind, v, extra, tid):
        if kind in ("trylock", "tryrd", "trywr", "trywait"):
            self.used_try = True
            return (0,) if self.strict else (0, 1)
        if kind == "await":
            return (0,) if v == extra else ()
        return (0,) if v == "raw" or self.free_for(kind, v, tid) else ()

    @staticmethod
    def free_for(kind, v, tid):
        if isinstance(v, tuple) and v[:1] == ("recursive",):
            return v[1] in (None, tid)
        if kind in ("lock", "trylock"):
            return v == "free"
        if kind in ("wait", "trywait"):
            return isinstance(v, int) and v > 0
        if kind in ("rdlock", "tryrd"):
            return v[0] is None
        return v[0] is None and not v[1]  # wrlock, trywr

    def perform(self, run, kind, extra, L, choice):
        mem, tid, p = run.mem, run.tid, L.get("$0")
        if kind == "nondet":
            return choice
        if kind in ("abegin", "aend"):
            mem[("$atomic", 0)] = tid if kind == "abegin" else "free"
            return 0
        if kind == "create":
            return self.spawn(run, extra, p)
        if kind == "start":
            return 0
        if kind == "texit":
            run.frames.clear()
            return 0
        if kind == "join":
            return self.join(run, p)
        if p not in mem or mem[p] == "raw":
            raise Undefined("synchronisation object")
        if kind in ("aload", "astore", "aadd", "axchg", "await"):
            old = mem[p]
            if kind in ("astore", "axchg"):
                mem[p] = L["$1"]
            if kind == "aadd":
                mem[p] = old + L["$1"]
            return old
        if kind in ("once_begin", "once_end", "barrier", "leave"):
            return self.phase_effect(mem, p, kind)
        return self.lock_effect(run, kind, p, choice)

    def lock_effect(self, run, kind, p, choice):
        mem, tid, v = run.mem, run.tid, run.mem[p]
        if kind.startswith("try") and (choice == 1 or not self.free_for(kind, v, tid)):
            return -1 if kind == "trywait" else 16
        if isinstance(v, tuple) and v[:1] == ("recursive",):
            self.recursive(mem, p, v, tid, kind)
        elif kind in ("lock", "trylock"):
            mem[p] = tid
        elif kind == "unlock":
            if v != tid:
                raise Undefined("unlock of a mutex not owned")
            mem[p] = "free"
        elif kind in ("wait", "trywait"):
            mem[p] = v - 1
        elif kind == "post":
            mem[p] = v + 1
        elif kind in ("rdlock", "tryrd"):
            mem[p] = (None, tuple(sorted(v[1] + (tid,))))
        elif kind in ("wrlock", "trywr"):
            mem[p] = (tid, ())
        else:
            self.rw_unlock(mem, p, v, tid)
        return 0

    @staticmethod
    def recursive(mem, p, v, tid, kind):
        if kind != "unlock":
            mem[p] = ("recursive", tid, v[2] + 1)
        elif v[1] != tid:
            raise Undefined("unlock of a mutex not owned")
        else:
            mem[p] = ("recursive", tid if v[2] > 1 else None, v[2] - 1)

    @staticmethod
    def phase_effect(mem, p, kind):
        """Barriers and once."""
        if kind == "once_begin":
            first = mem[p] == "new"
            mem[p] = "busy" if first else mem[p]
            return int(first)
        if kind == "once_end":
            mem[p] = "done"
        elif kind == "barrier":
            n, here, round_ = mem[p]
            mem[p] = (n, here + 1, round_) if here + 1 < n else (n, 0, round_ + 1)
            return (p, round_)
        return 0

    @staticmethod
    def rw_unlock(mem, p, v, tid):
        if v[0] == tid:
            mem[p] = (None, ())
        elif tid in v[1]:
            readers = list(v[1])
            readers.remove(tid)
            mem[p] = (None, tuple(readers))
        else:
            raise Undefined("unlock of a rwlock not owned")

    def spawn(self, run, entry, arg):
        child = run.tid + (run.made,)
        run.made += 1
        params = self.prog.funcs[entry].params
        L = {params[0][0]: arg} if params else {}
        run.threads[child] = ((("$start:" + entry, 0, tuple(L.items()), None),), {}, 0, False)
        self.add_tls(run.mem, child)
        return child

    def join(self, run, p):
        if p not in run.threads or run.mem.get(("$joined", p)):
            raise Undefined("join of no thread")
        run.mem[("$joined", p)] = 1
        return 0

    # ---- the search

    def start_state(self):
        mem = {("$atomic", 0): "free"}
        for name, g in self.prog.globals.items():
            if g.flavour != "tls":
                self.place(mem, name, g)
        self.add_tls(mem, ())
        for name in list(self.prog.funcs):
            self.code["$start:" + name] = [("sync", 0, "start", None)] + [self.shift(i) for i in self.code[name]]
        threads = {(): ((("$start:main", 0, (), None),), {}, 0, False)}
        return mem, threads

    @staticmethod
    def shift(ins):
        if ins[0] == "jz":
            return ins[:3] + (ins[3] + 1,)
        return ("jmp", ins[1] + 1) if ins[0] == "jmp" else ins

    def add_tls(self, mem, tid):
        for name, g in self.prog.globals.items():
            if g.flavour == "tls":
                self.place(mem, (name, tid), g)

    def place(self, mem, obj, g):
        cells = cells_of(self.prog, g.type)
        for i, c in enumerate(cells):
            mem[(obj, i)] = initial_value(c)
        init = g.init if isinstance(g.init, list) else [g.init]
        for i, v in enumerate(init):
            if isinstance(v, tuple):
                mem[(obj, i)] = self.static_address(v)
            elif v:
                mem[(obj, i)] = v

    def static_address(self, e):
        class NoRun:
            tid = ()
            def undefined(self, why):
                raise Undefined(why)
        from compile import FuncCompiler
        from lang import Func
        return FuncCompiler(self.prog, Func("$", [], "void", [])).value(e, 0)(NoRun(), {})

    @staticmethod
    def key(mem, threads):
        return (frozenset(mem.items()),
                frozenset((t, fr, frozenset((c, k) for c, (k, _) in rec.items()), m, e)
                          for t, (fr, rec, m, e) in threads.items()))

    def step(self, mem, threads, tid, choice):
        run = Run(self, mem, threads, tid)
        if not run.frames:
            run.recent, run.ended = {}, True
            if tid == () and not run.threads[tid][3] and "$exited" not in run.mem:
                run.mem["$process"] = 1
            return run
        if self.code[run.frames[-1][0]][run.frames[-1][1]][2] == "texit" and tid == ():
            run.mem["$exited"] = 1
        try:
            run.synchronise(choice)
            run.advance()
        except (Undefined, Cut):
            if not run.races:
                raise
        return run

    def search(self):
        """'racy', 'race-free', or the reason why not known; races as (object, line, line)."""
        mem, threads = self.start_state()
        seen, todo, trouble = {self.key(mem, threads)}, [(mem, threads)], None
        while todo:
            mem, threads = todo.pop()
            if "$process" in mem:
                continue
            for tid in sorted(threads):
                for choice in self.enabled(mem, threads, tid):
                    try:
                        run = self.step(mem, threads, tid, choice)
                    except Undefined as e:
                        trouble = trouble or "undefined: " + str(e)
                        continue
                    except Cut as e:
                        trouble = trouble or "cut: " + str(e)
                        continue
                    if run.races:
                        self.note(run.races[0])
                        continue
                    state = run.result()
                    k = self.key(*state)
                    if k in seen:
                        continue
                    seen.add(k)
                    self.states += 1
                    if self.states > self.max_states:
                        return "racy" if self.races else "cut: states"
                    todo.append(state)
        if self.races:
            return "racy"
        return trouble or "race-free"

    def note(self, race):
        where, olds, (line, kind) = race
        for old, old_kind in olds:
            if old_kind or kind:
                self.races.add((str(where[0]), old, line))


def decide(prog, max_states=6000):
    """('racy' | 'race-free' | 'ambiguous' | why not known, races, states)."""
    m = Machine(prog, max_states)
    answer = m.search()
    if answer == "race-free" and m.used_try:
        loose = Machine(prog, max_states, strict=False)
        second = loose.search()
        if second != "race-free":
            return ("ambiguous" if second == "racy" else second), set(), m.states
    return answer, m.races, m.states
