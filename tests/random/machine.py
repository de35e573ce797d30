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

from compile import FuncCompiler, compile_prog
from effects import Effects
from lang import Func, cells_of
from step import Cut, Run, Undefined, initial_value


class Machine(Effects):
    tid = ()  # initialisers are evaluated for the first thread

    def __init__(self, prog, max_states=6000, strict=True):
        self.prog, self.code = prog, compile_prog(prog)
        self.max_states, self.strict = max_states, strict
        self.races, self.states, self.used_try = set(), 0, False

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
        return FuncCompiler(self.prog, Func("$", [], "void", [])).value(e, 0)(self, {})

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
        except (KeyError, TypeError, ZeroDivisionError) as e:  # a variable or pointer without a value, after a mutation
            if not run.races:
                raise Undefined("value") from e
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
    """('racy' | 'race-free' | 'ambiguous' | 'sampled' | why not known, races, states)."""
    m = Machine(prog, max_states)
    answer = m.search()
    if answer == "race-free" and m.used_try:
        loose = Machine(prog, max_states, strict=False)
        second = loose.search()
        if second != "race-free":
            return ("ambiguous" if second == "racy" else second), set(), m.states
    if answer == "race-free" and prog.sampled:
        answer = "sampled"
    return answer, m.races, m.states
