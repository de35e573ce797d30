# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""errno: set by calls that fail, kept or spoilt by those that succeed, a variable of each thread, with an address."""

from families.frame import COMPARISONS, Act, create, join, test, touch

FAILING = [("close(-1)", 9), ("lseek(-1, 0, 0)", 9), ("write(-1, \"a\", 1)", 9), ("isatty(-1)", 9), ("dup2(-1, 3)", 9),
           ("strtol(\"99999999999999999999999\", 0, 10)", 34), ("sem_trywait(&none)", 11)]
KEEPING = ["strlen(\"abc\")", "pthread_mutex_lock(&m); pthread_mutex_unlock(&m)", "sem_post(&some)", "getpid()",
           "atoi(\"12\")", "strtol(\"12\", 0, 10)", "free(malloc(3))", "rand()"]
NUMBERS = [0, 0, 5, 7, 9, 9, 11, 34, 77, -3]


class Errno:
    def __init__(self, maker):
        self.maker, self.registers = maker, []
        maker.declare("int x, y, *ep; sem_t none, some; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", x=0, y=0, ep=0,
                      m=(None, 0, "normal"), none=0, some=0)

    def one(self, thread):
        """One thing that may change errno of this thread."""
        maker, mine = self.maker, "errno:" + thread
        what = maker.pick("set", "set", "fail", "fail", "fail", "keep", "keep")
        if what == "set":
            number = maker.pick(*NUMBERS)
            return [Act(f"errno = {number};", "put", mine, number)]
        if what == "fail":
            call, number = maker.pick(*FAILING)
            act = Act(f"{call};")
            if "none" in call:
                act.plus("op", "none", "trywait", "")
            return [act.plus("put", mine, number)]
        call = maker.pick(*KEEPING)
        act = Act(f"{call};")
        if "lock" in call:
            act.plus("op", "m", "lock", "").plus("op", "m", "unlock", "")
        if "some" in call:
            act.plus("op", "some", "post", "")
        return [act.plus("spoil", mine)]

    def look(self, cell, text):
        maker, r = self.maker, self.maker.fresh("r")
        self.registers.append(r)
        op = maker.pick("==", "==", "==", *COMPARISONS)
        body = [touch(maker.pick("x", "x", "y"), maker.rng)]
        return [Act(f"{r} = {text};", "get", r, cell), test(r, op, maker.pick(*NUMBERS), body)]

    def body(self, thread, has_address):
        maker, acts, mine = self.maker, [], "errno:" + thread
        if thread != "main" and maker.chance(0.8):
            number = maker.pick(*NUMBERS)
            acts.append(Act(f"errno = {number};", "put", mine, number))
        for _ in range(maker.pick(1, 2, 2, 3)):
            acts += self.one(thread)
        acts += self.look(mine, "errno")
        if maker.chance(0.3):
            acts += self.one(thread) + self.look(mine, "errno")
        if has_address and maker.chance(0.6):
            number = maker.pick(*NUMBERS)
            other = [Act(f"*ep = {number};", "need", "ep").plus("put", "errno:main", number)]
            if maker.chance(0.5):
                other = self.look("errno:main", "*ep")
                other[0].deeds.insert(0, ("need", ("ep",)))
            at = maker.rng.randrange(len(acts) + 1) if not maker.flaw() else 0
            acts[at:at] = other
        return acts


def make(maker):
    e = Errno(maker)
    count = maker.pick(1, 2, 2)
    maker.declare("pthread_t " + ", ".join(f"h{i}" for i in range(count)) + ";", **{"errno:main": 0})
    address = maker.chance(0.3)
    for index in range(count):
        e.registers = []
        maker.prog.cells[f"errno:t{index}"] = 0
        body = e.body(f"t{index}", address)
        maker.thread(f"t{index}", body, e.registers)
    e.registers = []
    begun = [Act("sem_init(&none, 0, 0); sem_init(&some, 0, 0);", "fresh", "none", 0).plus("fresh", "some", 0)]
    main = [Act("ep = &errno;", "put", "ep", 1)] if address else []
    if maker.chance(0.3):
        main += e.body("main", False)
    main += [create(i) for i in range(count)]
    if maker.chance(0.6 if address or count == 1 else 0.2):
        main += e.body("main", address)
    main += [join(i) for i in range(count)]
    declared = [Act("int " + ", ".join(f"{r} = 0" for r in e.registers) + ";")] if e.registers else []
    maker.main(declared + begun + main)
