# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The truth about a small program of Acts: all interleavings, with vector clocks.

A step of a thread is one synchronisation or choice and all that follows up to the next. Synchronisation objects are
memory: operations on one are atomic accesses to its cell, also while they wait; beginning, ending, copying and
overwriting it are plain ones.

kinds of Acts                         meaning
  read C, write C                     plain accesses to a cell; also of a synchronisation object's bytes
  fresh C VALUE                       a plain write that leaves VALUE: initialisation, an overwriting assignment
  copy C D                            plain read of D, plain write of C
  end C...                            the cells are memory no more: free, the end of a frame
  begin C VALUE                       new memory, which nobody else knows
  op C OPERATION REGISTER             an operation on a synchronisation object; the register gets its result
  create T [REGISTER [may fail]]      starts the thread whose function is T
  join T [REGISTER], detach T
  choose REGISTER VALUES              one of the values, or of those that a function of the registers gives: inputs
  mostly REGISTER VALUES OTHERS       one of the values; the others may be possible too (ambiguous then)
  put C VALUE, get REGISTER C         plain accesses with a value
  need C                              a plain read of an address; undefined if there is none yet
  spoil C                             keeps the value, or writes another: errno of a call that succeeds
  stop [TEST]                         the program ends, if the test of the registers holds
  call F                              the body of function F, in this thread
  once C F                            pthread_once

`decide` answers `racy`, `race-free`, `ambiguous` (depends on whether failing operations order and may fail without
reason: only `race` is wrong), `undefined` (no race, but a path has undefined behaviour) or `cut`.
"""

# a mutex: (owner, depth, kind), kind normal, errorcheck or recursive; a semaphore: a count; a rwlock: (writer, readers)
FREE = (None, 0, "normal")
RAW = "raw"


class Undefined(Exception):
    pass


class Race(Exception):
    pass


def flatten(body, bodies, code):
    for act in body:
        at = len(code)
        if act.holds is not None:
            code.append(None)
        for kind, args in act.deeds:
            if kind == "call":
                flatten(bodies[args[0]], bodies, code)
            elif kind == "once":
                flatten_once(args, bodies, code)
            elif kind:
                code.append([kind, args])
        if act.has_body:
            flatten(act.body, bodies, code)
        if act.holds is not None:
            code[at] = ["unless", act.holds, len(code)]
    return code


def flatten_once(args, bodies, code):
    code.append(["op", (args[0], "once", "$once")])
    at = len(code)
    code.append(None)
    flatten(bodies[args[1]], bodies, code)
    code.append(["op", (args[0], "once_end", "")])
    code[at] = ["unless", lambda regs: regs["$once"] == 1, len(code)]


SILENT = {"read", "write", "begin", "unless", "put", "get", "need"}


STEPS = {"op", "choose", "mostly", "spoil", "stop", "create", "join", "detach", "fresh", "copy", "end"}


class State:
    """Threads: name -> [pc, registers, clock, status]; history: cell -> {(thread, kind): time}."""

    def __init__(self, cells, threads, history, clocks):
        self.cells, self.threads, self.history, self.clocks = cells, threads, history, clocks

    def copy(self):
        return State(dict(self.cells), {t: [v[0], dict(v[1]), dict(v[2]), v[3]] for t, v in self.threads.items()},
                     {c: dict(h) for c, h in self.history.items()}, {c: dict(v) for c, v in self.clocks.items()})

    def key(self):
        return (frozenset(self.cells.items()),
                frozenset((t, v[0], frozenset(v[1].items()), frozenset(v[2].items()), v[3])
                          for t, v in self.threads.items()),
                frozenset((c, frozenset(h.items())) for c, h in self.history.items()),
                frozenset((c, frozenset(v.items())) for c, v in self.clocks.items()))


class Search:
    def __init__(self, bodies, cells, strict, limit, by_input=False):
        go = ["op", ("$go", "go", "")]  # a thread waits for its turn
        self.code = {name: flatten(body, bodies, [go]) for name, body in bodies.items()}
        self.code["main"].append(go)  # others may run before it ends
        self.start = State(cells, {"main": [0, {}, {"main": 1}, "runs"]}, {}, {})
        self.strict, self.limit, self.by_input = strict, limit, by_input
        self.racy = self.undefined = self.cut = False
        self.racy_inputs, self.ends = set(), set()  # what was chosen up to a race, up to an end

    def run(self):
        todo, seen = [self.start.copy()], set()
        while todo and (self.by_input or not self.racy):
            state = todo.pop()
            if state.threads["main"][3] == "ended" or "$stop" in state.cells:
                self.ends.add(self.inputs(state))
                continue
            for thread in state.threads:
                choices = self.choices(state, thread)
                if not choices:
                    self.wait(state, thread)
                for choice in choices:
                    after = state.copy()
                    try:
                        self.step(after, thread, choice)
                        if "$stop" not in after.cells:
                            self.advance(after, thread)
                    except Race:
                        self.racy = True
                        self.racy_inputs.add(self.inputs(after))
                        continue
                    except Undefined:
                        self.undefined = True
                        continue
                    if (key := after.key()) not in seen:
                        seen.add(key)
                        todo.append(after)
            if len(seen) > self.limit:
                self.cut = True
                return

    def wait(self, state, thread):
        """Who waits has looked at the object."""
        pc, _, _, status = state.threads[thread]
        kind, args = self.code[thread][pc][:2] if status != "ended" else ("", ())
        if kind == "op":
            try:
                self.access(state.copy(), thread, args[0], "a")
            except Race:
                self.racy = True
                self.racy_inputs.add(self.inputs(state))
            except Undefined:
                self.undefined = True

    @staticmethod
    def inputs(state):
        return frozenset((c, v) for c, v in state.cells.items() if c[0] == "$input")

    def depends_on_inputs(self):
        return any(not any(racy <= end for racy in self.racy_inputs) for end in self.ends)

    # --- accesses and order

    def access(self, state, thread, cell, kind):
        """kind: r, w or a (atomic)"""
        if cell not in state.cells:
            if not self.unordered_end(state, thread, cell):
                raise Undefined
            raise Race
        clock = state.threads[thread][2]
        for (other, old), time in state.history.get(cell, {}).items():
            if other != thread and clock.get(other, 0) < time and old + kind not in ("rr", "aa"):
                raise Race
        state.history.setdefault(cell, {})[thread, kind] = clock[thread]

    @staticmethod
    def unordered_end(state, thread, cell):
        clock = state.threads[thread][2]
        return any(other != thread and kind == "w" and clock.get(other, 0) < time
                   for (other, kind), time in state.history.get(cell, {}).items())

    @staticmethod
    def acquire(state, thread, name):
        clock = state.threads[thread][2]
        for other, time in state.clocks.get(name, {}).items():
            clock[other] = max(clock.get(other, 0), time)

    @staticmethod
    def release(state, thread, name):
        clock = state.threads[thread][2]
        known = state.clocks.setdefault(name, {})
        for other, time in clock.items():
            known[other] = max(known.get(other, 0), time)
        clock[thread] += 1

    # --- steps

    def advance(self, state, thread):
        code, mine = self.code[thread], state.threads[thread]
        while mine[0] < len(code):
            kind, args, *target = code[mine[0]]
            if kind not in SILENT:
                return
            mine[0] += 1
            if kind == "unless":
                if not args(mine[1]):
                    mine[0] = target[0]
            else:
                getattr(self, "do_" + kind)(state, thread, *args)
        self.release(state, thread, "end of " + thread)
        mine[3] = "ended"

    def do_read(self, state, thread, cell):
        self.access(state, thread, cell, "r")

    def do_write(self, state, thread, cell):
        self.access(state, thread, cell, "w")

    def do_put(self, state, thread, cell, value):
        self.access(state, thread, cell, "w")
        registers = state.threads[thread][1]
        state.cells[cell] = value(registers) if callable(value) else value

    def do_need(self, state, thread, cell):
        self.access(state, thread, cell, "r")
        if not state.cells[cell]:
            raise Undefined

    def do_get(self, state, thread, register, cell):
        self.access(state, thread, cell, "r")
        state.threads[thread][1][register] = state.cells[cell]

    def do_fresh(self, state, thread, cell, value):
        self.access(state, thread, cell, "w")
        if isinstance(state.cells[cell], tuple) and state.cells[cell][0] is not None:
            raise Undefined  # begun again while held
        state.cells[cell] = value

    def do_copy(self, state, thread, cell, source):
        self.access(state, thread, source, "r")
        self.access(state, thread, cell, "w")
        if any(isinstance(state.cells[c], tuple) and state.cells[c][0] is not None for c in (cell, source)):
            raise Undefined
        state.cells[cell] = state.cells[source]

    def do_end(self, state, thread, *cells):
        for cell in cells:
            self.access(state, thread, cell, "w")
        for cell in cells:
            del state.cells[cell]

    @staticmethod
    def do_begin(state, thread, cell, value):
        if cell in state.cells:
            raise Undefined  # made twice: the names of this search do not tell them apart
        state.cells[cell] = value
        state.history.pop(cell, None)

    def choices(self, state, thread):
        pc, _, _, status = state.threads[thread]
        if status == "ended":
            return ()
        kind, args = self.code[thread][pc][:2]
        if kind == "choose":
            return args[1](state.threads[thread][1]) if callable(args[1]) else args[1]
        if kind == "mostly":
            return args[1] if self.strict else args[1] + args[2]
        if kind == "spoil":
            return (0,) if self.strict else (0, 77)
        if kind == "create":
            return (0, 11) if len(args) > 2 else (0,)
        if kind == "join":
            if args[0] not in state.threads:
                return (3,)  # no such thread
            if ("$detached", args[0]) in state.cells:  # EINVAL of glibc, while there is a thread
                # Plain accesses are no steps here: one that ended may still stand before its last ones.
                return (22,) if state.threads[args[0]][3] != "ended" else (22, 3)
            return (0,) if state.threads[args[0]][3] == "ended" else ()
        return self.outcomes(state, thread, *args) if kind == "op" else (0,)

    def step(self, state, thread, choice):
        mine = state.threads[thread]
        kind, args = self.code[thread][mine[0]][:2]
        mine[0] += 1
        assert kind in STEPS, kind
        if kind in ("choose", "mostly"):
            mine[1][args[0]] = choice
            state.cells["$input", thread, args[0]] = choice
        elif kind == "spoil":
            if choice:
                self.do_put(state, thread, args[0], choice)
        elif kind == "stop":
            if not args or args[0](mine[1]):
                state.cells["$stop"] = 1
                mine[3] = "ended"
        elif kind == "create":
            self.create(state, thread, args, choice)
        elif kind == "join":
            if choice == 3:
                raise Undefined
            if choice == 0:
                self.acquire(state, thread, "end of " + args[0])
                if ("$joined", args[0]) in state.cells:
                    raise Undefined
                state.cells["$joined", args[0]] = 1
            mine[1][args[1] if len(args) > 1 else "$r"] = choice
        elif kind in ("fresh", "copy", "end"):
            getattr(self, "do_" + kind)(state, thread, *args)
        elif kind == "detach":
            state.cells["$detached", args[0]] = 1
        else:
            self.operate(state, thread, *args, choice)

    def create(self, state, thread, args, choice):
        mine = state.threads[thread]
        if len(args) > 1:
            mine[1][args[1]] = choice
        if choice:
            return
        if args[0] in state.threads:
            raise Undefined  # twice: one name
        self.release(state, thread, "start of " + args[0])
        state.threads[args[0]] = [0, {}, dict(state.clocks["start of " + args[0]]), "runs"]
        state.threads[args[0]][2][args[0]] = 1

    # --- synchronisation objects

    def outcomes(self, state, thread, cell, operation, register):
        value = state.cells.get(cell)
        if operation in ("go", "unlock", "post", "once_end", "destroy", "rwunlock") or value is None or value == RAW:
            return (0,)
        if operation in ("lock", "trylock", "timedlock"):
            return self.lock_outcomes(value, thread, operation)
        if operation in ("wait", "trywait", "timedwait"):
            if value > 0:
                return (0,) if self.strict or operation == "wait" else (0, -1)
            return () if operation == "wait" else (-1,)
        if operation in ("wrlock", "rdlock", "trywrlock", "tryrdlock"):
            return self.rw_outcomes(value, thread, operation)
        if operation == "once":
            return () if value == "busy" else (int(value == "new"),)
        raise ValueError(operation)

    def lock_outcomes(self, value, thread, operation):
        owner, _, kind = value
        failed = {"lock": None, "trylock": 16, "timedlock": 110}[operation]
        if owner is None:
            return (0,) if self.strict or operation == "lock" else (0, failed)
        if owner == thread and kind == "recursive":
            return (0,)
        if owner == thread and kind == "errorcheck" and operation != "trylock":
            return (35,)
        return () if failed is None else (failed,)

    def rw_outcomes(self, value, thread, operation):
        writer, readers = value
        free = writer is None and (operation.endswith("rdlock") or not readers)
        if operation.startswith("try"):
            return ((0,) if self.strict else (0, 16)) if free else (16,)
        if writer == thread:
            return (35,)
        return (0,) if free else ()

    def operate(self, state, thread, cell, operation, register, choice):
        if operation == "go":
            return
        self.access(state, thread, cell, "w" if operation == "destroy" else "a")
        value = state.cells[cell]
        if value == RAW:
            raise Undefined
        if choice == 0 or self.strict or operation == "once":
            self.acquire(state, thread, cell)
        result = choice
        if choice == 0 and operation in ("lock", "trylock", "timedlock", "unlock", "destroy"):
            result = self.mutex(state, thread, cell, operation, value)
        elif choice == 0 and operation in ("wait", "trywait", "timedwait", "post"):
            state.cells[cell] = value + (1 if operation == "post" else -1)
        elif choice == 0 and operation in ("wrlock", "trywrlock", "rdlock", "tryrdlock", "rwunlock"):
            self.rwlock(state, thread, cell, operation, value)
        elif operation == "once" and choice == 1:
            state.cells[cell] = "busy"
        elif operation == "once_end":
            state.cells[cell] = "done"
        if register:
            state.threads[thread][1][register] = result
        if self.strict or operation in ("unlock", "post", "rwunlock", "once_end"):
            self.release(state, thread, cell)

    @staticmethod
    def mutex(state, thread, cell, operation, value):
        if operation == "destroy":
            if isinstance(value, tuple) and (value[0] is not None or value[1]):
                return 16  # as glibc does; the write was noted
            state.cells[cell] = RAW
            return 0
        owner, depth, kind = value
        if operation != "unlock":
            state.cells[cell] = (thread, depth + 1, kind)
            return 0
        if owner != thread:
            if kind == "normal":
                raise Undefined
            return 1
        state.cells[cell] = (thread, depth - 1, kind) if depth > 1 else (None, 0, kind)
        return 0

    @staticmethod
    def rwlock(state, thread, cell, operation, value):
        writer, readers = value
        if operation.endswith("wrlock"):
            state.cells[cell] = (thread, ())
        elif operation.endswith("rdlock"):
            state.cells[cell] = (None, tuple(sorted(readers + (thread,))))
        elif writer == thread:
            state.cells[cell] = (None, ())
        elif thread in readers:
            rest = list(readers)
            rest.remove(thread)
            state.cells[cell] = (None, tuple(rest))
        else:
            raise Undefined


def decide(bodies, cells, limit, by_input=False):
    """(answer, with by_input: whether a race depends on what is chosen)"""
    strict = Search(bodies, cells, True, limit, by_input)
    strict.run()
    if strict.racy:
        return "racy", by_input and strict.depends_on_inputs()
    if strict.cut:
        return "cut", False
    loose = Search(bodies, cells, False, limit)
    loose.run()
    if loose.cut:
        return "cut", False
    if loose.racy:
        return "ambiguous", False
    return ("undefined" if strict.undefined or loose.undefined else "race-free"), False
