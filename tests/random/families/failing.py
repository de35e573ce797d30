# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that may fail, with their results compared with every kind of value."""

from families.frame import COMPARISONS, Act, create, join, test, touch
from families.truth import FREE, RAW

KINDS = {"normal": 0, "recursive": 1, "errorcheck": 2}
WRONG = [-1, 1, 3, 11, 12, 16, 22, 35, 110, 300]  # what results are compared with, besides 0


class Failing:
    def __init__(self, maker):
        self.maker, self.registers = maker, []
        self.data, self.locks, self.begun = [], [], []
        for _ in range(maker.pick(1, 1, 2)):
            name = maker.fresh("x")
            maker.declare(f"int {name};", **{name: 0})
            self.data.append(name)
        for _ in range(maker.pick(1, 1, 2)):
            self.add_lock()
        maker.declare("static const struct timespec past = { 1, 0 };")

    def add_lock(self):
        maker = self.maker
        sort = maker.pick("mutex", "mutex", "mutex", "sem", "rwlock")
        name = maker.fresh({"mutex": "m", "sem": "s", "rwlock": "w"}[sort])
        if sort == "mutex":
            kind = maker.pick("normal", "normal", "recursive", "errorcheck", "errorcheck")
            self.mutex(name, kind)
            self.locks.append((name, sort, kind))
        elif sort == "sem":
            count = maker.pick(0, 1, 1, 2)
            maker.declare(f"sem_t {name};", **{name: RAW})
            self.begun.append(Act(f"sem_init(&{name}, 0, {count});", "fresh", name, count))
            self.locks.append((name, sort, ""))
        else:
            maker.declare(f"pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;", **{name: (None, ())})
            self.locks.append((name, sort, ""))

    def mutex(self, name, kind):
        if kind == "normal":
            self.maker.declare(f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;", **{name: FREE})
            return
        self.maker.declare(f"pthread_mutex_t {name};", **{name: RAW})
        text = (f"{{ pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, {KINDS[kind]}); "
                f"pthread_mutex_init(&{name}, &k); }}")
        self.begun.append(Act(text, "fresh", name, (None, 0, kind)))

    def register(self):
        name = self.maker.fresh("r")
        self.registers.append(name)
        return name

    def touch(self):
        return touch(self.maker.pick(*self.data), self.maker.rng)

    def compare(self, register, good, body):
        """A test that holds for 0 alone, mostly; else any test."""
        maker = self.maker
        if good and not maker.flaw():
            op, number = maker.pick(("==", 0), ("==", 0), ("<=", 0), ("<", 1))
        else:
            op, number = maker.pick(*COMPARISONS), maker.pick(0, *WRONG)
        return test(register, op, number, body)

    def attempt(self):
        """A try or a timed wait, the data if it worked, sometimes a second test of the result, and the end."""
        maker = self.maker
        name, sort, _ = maker.pick(*self.locks)
        r = self.register()
        if sort == "mutex":
            operation = maker.pick("trylock", "trylock", "timedlock", "lock")
            more = ", &past" if operation == "timedlock" else ""
            acts = [Act(f"{r} = pthread_mutex_{operation}(&{name}{more});", "op", name, operation, r)]
            leave = Act(f"pthread_mutex_unlock(&{name});", "op", name, "unlock", "")
        elif sort == "sem":
            operation = maker.pick("trywait", "trywait", "timedwait", "wait")
            more = ", &past" if operation == "timedwait" else ""
            acts = [Act(f"{r} = sem_{operation}(&{name}{more});", "op", name, operation, r)]
            leave = Act(f"sem_post(&{name});", "op", name, "post", "")
        else:
            operation = maker.pick("trywrlock", "trywrlock", "tryrdlock", "wrlock")
            acts = [Act(f"{r} = pthread_rwlock_{operation}(&{name});", "op", name, operation, r)]
            leave = Act(f"pthread_rwlock_unlock(&{name});", "op", name, "rwunlock", "")
        inside = [self.touch()]
        if sort == "mutex" and maker.chance(0.3):
            inside += self.inside_lock(name)
        acts.append(self.compare(r, True, inside))
        if maker.chance(0.3):
            acts.append(self.compare(r, False, [self.touch()]))
        return acts + ([] if maker.flaw() else [test(r, "==", 0, [leave])])

    def inside_lock(self, name):
        """The holder takes it again, or ends it."""
        maker, r = self.maker, self.register()
        operation = maker.pick("lock", "trylock", "timedlock", "destroy")
        more = ", &past" if operation == "timedlock" else ""
        acts = [Act(f"{r} = pthread_mutex_{operation}(&{name}{more});", "op", name, operation, r)]
        acts.append(self.compare(r, False, [self.touch()]))
        if operation != "destroy":
            acts.append(test(r, "==", 0, [Act(f"pthread_mutex_unlock(&{name});", "op", name, "unlock", "")]))
        return acts

    def bad_unlock(self):
        checked = [name for name, sort, kind in self.locks if kind == "errorcheck"]
        if not checked:
            return self.attempt()
        name, r = self.maker.pick(*checked), self.register()
        return [Act(f"{r} = pthread_mutex_unlock(&{name});", "op", name, "unlock", r),
                self.compare(r, False, [self.touch()])]

    def memory(self):
        maker, r, p = self.maker, self.register(), self.maker.fresh("p")
        fails = "allocation-succeeds" in maker.prog.without
        call = maker.pick("malloc(8)", "calloc(2, 4)", "malloc(1)")
        acts = [Act(f"void *{p} = {call}; {r} = {p} != 0;", "choose", r, (0, 1) if fails else (1,))]
        if fails or maker.chance(0.3):
            acts.append(test(r, maker.pick("==", "!=") if fails else "!=", 0, [self.touch()]))
        return acts + [Act(f"free({p});")]

    def key(self):
        r, k = self.register(), self.maker.fresh("k")
        self.maker.declare(f"pthread_key_t {k};", **{k: 0})
        return [Act(f"{r} = pthread_key_create(&{k}, 0);", "mostly", r, (0,), (11,)).plus("write", k),
                self.compare(r, True, [self.touch()]), self.compare(r, False, [self.touch()])]

    def body(self):
        maker, acts = self.maker, []
        for _ in range(maker.pick(1, 1, 2)):
            acts += maker.pick(self.attempt, self.attempt, self.attempt, self.bad_unlock, self.memory, self.key)()
        return acts

    def start(self, index):
        """A thread, by a call that may fail; and its end, by a join that may."""
        maker = self.maker
        if "creation-succeeds" in maker.prog.without:
            r = self.register()
            call = Act(f"{r} = pthread_create(&h{index}, 0, t{index}, 0);", "create", f"t{index}", r, "may fail")
            op, number = maker.pick(("!=", 0), ("==", 11), (">", 0), ("<", 0), ("==", 0))
            acts = [call] + ([test(r, op, number, [self.touch()])] if maker.chance(0.6) else [])
            return acts, [test(r, "==", 0, [join(index)])]
        acts, ends = [create(index)], [join(index)]
        if maker.chance(0.25):
            r = self.register()
            ends = [Act(f"{r} = pthread_join(h{index}, 0);", "join", f"t{index}", r),
                    self.compare(r, maker.chance(0.5), [self.touch()])]
        if maker.flaw() and maker.chance(0.5):
            acts.append(Act(f"pthread_detach(h{index});", "detach", f"t{index}"))
        return acts, ends


def make(maker):
    maker.prog.without = maker.pick((), (), ("allocation-succeeds",), ("creation-succeeds",), ("locks-succeed",),
                                    ("allocation-succeeds", "creation-succeeds"))
    f = Failing(maker)
    count = maker.pick(1, 2, 2)
    maker.declare("pthread_t " + ", ".join(f"h{i}" for i in range(count)) + ";")
    for index in range(count):
        f.registers = []
        body = f.body()
        maker.thread(f"t{index}", body, f.registers)
    f.registers = []
    starts = [f.start(index) for index in range(count)]
    main = [act for acts, _ in starts for act in acts]
    if maker.chance(0.5):
        main += f.body()
    main += [act for _, ends in starts for act in ends]
    if maker.chance(0.3):
        main.append(f.touch())
    declared = [Act("int " + ", ".join(f"{r} = 0" for r in f.registers) + ";")] if f.registers else []
    maker.main(declared + f.begun + main)
