# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When each synchronisation may happen and what it does.

A mutex is 'free' or its owner, a rwlock (writer, readers), a semaphore or an atomic its value, a recursive mutex
('recursive', owner, depth), a barrier (size, arrived, round), a once 'new', 'busy' or 'done'; 'raw' is not initialised.
"""

from step import Undefined


class Effects:
    """Needs self.prog, self.code, self.strict, self.used_try and self.add_tls of Machine."""

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
        if kind in ("nondet", "range"):
            return extra or (0, 1)
        if kind in ("start", "unlock", "rwunlock", "post", "aload", "astore", "aadd", "axchg", "aend", "create",
                    "texit",
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
        if kind in ("rdlock", "wrlock") and v[0] == tid:
            return True  # refused: EDEADLK, as glibc does
        if kind in ("rdlock", "tryrd"):
            return v[0] is None
        return v[0] is None and not v[1]  # wrlock, trywr

    def perform(self, run, kind, extra, L, choice):
        mem, tid, p = run.mem, run.tid, L.get("$0")
        if kind in ("nondet", "range"):
            return choice
        if kind == "aend" and mem[("$atomic", 0)] != tid:
            raise Undefined("the end of an atomic section that was not begun")
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
        elif kind in ("rdlock", "wrlock") and v[0] == tid:
            return 35  # EDEADLK
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
