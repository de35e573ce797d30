# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Synchronisation objects as data: begun again, copied, overwritten, freed, out of scope, beside their users or not."""

from families.frame import Act, create, join, touch
from families.truth import FREE, RAW

NEW_RWLOCK = (None, ())


class Thing:
    """A lock with the data it protects, or a semaphore used as one: its C names and its cells."""

    def __init__(self, maker, home, sort):
        self.maker, self.sort = maker, sort
        self.type = {"mutex": "pthread_mutex_t", "rwlock": "pthread_rwlock_t", "sem": "sem_t"}[sort]
        self.new = {"mutex": FREE, "rwlock": NEW_RWLOCK, "sem": 1}[sort]
        name = self.name = maker.fresh("g")
        self.lock, self.data = name + "m", name + "x"
        self.home = home
        self.count = maker.pick(1, 2) if sort == "sem" and home in ("plain", "struct") and maker.chance(0.2) else 0
        start = {"mutex": "PTHREAD_MUTEX_INITIALIZER", "rwlock": "PTHREAD_RWLOCK_INITIALIZER",
                 "sem": f"{{{{{self.count}}}}}"}[sort]  # a count in the first byte, which nobody initialises
        self.start = start
        first = self.count if sort == "sem" else self.new
        struct = f"struct S{name} {{ {self.type} m; int x; }}"
        if home == "plain":
            maker.declare(f"{self.type} {name}m = {start}; int {name}x;", **{self.lock: first, self.data: 0})
            self.m, self.x = f"{name}m", f"{name}x"
        elif home == "struct":
            maker.declare(f"{struct} {name} = {{ {start}, 0 }};", **{self.lock: first, self.data: 0})
            self.m, self.x = f"{name}.m", f"{name}.x"
        else:  # heap or frame: begun by main
            maker.declare(f"{struct}; {struct[:struct.index('{')]}*{name};")
            self.m, self.x = f"{name}->m", f"{name}->x"

    def set_up(self):
        """What main does before there are threads."""
        acts = []
        if self.home == "heap":
            acts.append(Act(f"{self.name} = malloc(sizeof *{self.name});", "begin", self.lock, RAW))
            acts.append(Act(f"{self.x} = 0;", "begin", self.data, 0))
        if self.home in ("heap", "frame") or self.sort == "sem" and not self.count:
            acts.append(self.begin(self.maker.pick(1, 1, 1, 2)))
        return acts

    def begin(self, count=1):
        text = {"mutex": f"pthread_mutex_init(&{self.m}, 0);", "rwlock": f"pthread_rwlock_init(&{self.m}, 0);",
                "sem": f"sem_init(&{self.m}, 0, {count});"}[self.sort]
        return Act(text, "fresh", self.lock, count if self.sort == "sem" else self.new)

    def end(self):
        call = {"mutex": "pthread_mutex", "rwlock": "pthread_rwlock", "sem": "sem"}[self.sort]
        return Act(f"{call}_destroy(&{self.m});", "op", self.lock, "destroy", "")

    def overwrite(self):
        """Bytes of a new object over this one."""
        maker = self.maker
        if self.sort == "sem":
            count = maker.pick(0, 1, 1, 2)
            text = maker.pick(f"*(unsigned *)&{self.m} = {count};",
                              f"{{ unsigned c = {count}; memcpy(&{self.m}, &c, sizeof c); }}")
            return Act(text, "fresh", self.lock, count)
        text = maker.pick(f"memset(&{self.m}, 0, sizeof {self.m});", f"{{ {self.type} n = {self.start}; {self.m} = n; }}",
                          f"{{ {self.type} n = {self.start}; memcpy(&{self.m}, &n, sizeof n); }}")
        return Act(text, "fresh", self.lock, self.new)

    def peek(self):
        return Act(f"(void)*(volatile char *)&{self.m};", "read", self.lock)

    def copy_from(self, other):
        text = self.maker.pick(f"{self.m} = {other.m};", f"memcpy(&{self.m}, &{other.m}, sizeof {self.m});")
        return Act(text, "copy", self.lock, other.lock)

    def move_from(self, other):
        """The whole structure, with its lock."""
        to, source = (f"*{t.name}" if t.home in ("heap", "frame") else t.name for t in (self, other))
        text = self.maker.pick(f"memcpy(&({to}), &({source}), sizeof({to}));", f"memmove(&({to}), &({source}), sizeof({to}));")
        return Act(text, "copy", self.lock, other.lock).plus("copy", self.data, other.data)

    def enter(self, shared=False):
        text, operation = {"mutex": ("pthread_mutex_lock", "lock"), "sem": ("sem_wait", "wait"),
                           "rwlock": ("pthread_rwlock_rdlock", "rdlock") if shared else ("pthread_rwlock_wrlock", "wrlock")
                           }[self.sort]
        return Act(f"{text}(&{self.m});", "op", self.lock, operation, "")

    def leave(self):
        text, operation = {"mutex": ("pthread_mutex_unlock", "unlock"), "sem": ("sem_post", "post"),
                           "rwlock": ("pthread_rwlock_unlock", "rwunlock")}[self.sort]
        return Act(f"{text}(&{self.m});", "op", self.lock, operation, "")

    def touch(self):
        if self.maker.chance(0.2):
            return Act(f"(void)*(volatile int *)&{self.x};", "read", self.data)
        return Act(f"{self.x}++;", "write", self.data)

    def use(self):
        if self.maker.flaw():
            return self.maker.pick([self.enter(), self.leave()], [self.touch()])
        if self.sort == "rwlock" and self.maker.chance(0.3):
            return [self.enter(shared=True), Act(f"(void)*(volatile int *)&{self.x};", "read", self.data), self.leave()]
        return [self.enter(), self.touch(), self.leave()]

    def tamper(self, things):
        maker = self.maker
        others = [t for t in things if t.sort == self.sort and t is not self]
        choices = [self.begin, self.end, self.overwrite, self.overwrite, self.peek]
        if self.sort == "sem":
            choices += [lambda: self.begin(maker.pick(0, 2))]
        if others:
            choices += [lambda: self.copy_from(maker.pick(*others))] * 2
        whole = [t for t in others if t.home != "plain"]
        if whole and self.home != "plain":
            choices += [lambda: self.move_from(maker.pick(*whole))] * 2
        if self.home == "heap":
            choices += [lambda: Act(f"free({self.name});", "end", self.lock, self.data)] * 2
        return maker.pick(*choices)()


def use_bodies(maker, things, count):
    bodies = []
    for _ in range(count):
        body = []
        for _ in range(maker.pick(1, 1, 2)):
            body += maker.pick(*things).use()
        bodies.append(body)
    return bodies


def tamper_somewhere(maker, things, bodies, main, first, last):
    """Puts one or two changes of objects somewhere: in a thread, or in main before, between or behind the threads."""
    for _ in range(maker.pick(1, 1, 2)):
        act = maker.pick(*things).tamper(things)
        if maker.chance(0.35):
            body = maker.pick(*bodies)
            body.insert(maker.rng.randrange(len(body) + 1), act)
        else:
            at = maker.pick("before", "between", "between", "behind")
            low, high = {"before": (first, first), "between": (first + 1, max(first + 1, last)),
                         "behind": (len(main), len(main))}[at]
            main.insert(maker.rng.randint(low, high), act)


def make(maker):
    sorts = [maker.pick("mutex", "mutex", "mutex", "sem", "sem", "rwlock") for _ in range(maker.pick(1, 2))]
    if maker.chance(0.4):
        sorts = [sorts[0]] * 2  # so that one can be copied over the other
    framed = maker.chance(0.25)
    things = [Thing(maker, "frame" if framed else maker.pick("plain", "struct", "heap"), sort) for sort in sorts]
    count = maker.pick(1, 2, 2)
    bodies = use_bodies(maker, things, count)
    maker.declare("pthread_t " + ", ".join(f"h{i}" for i in range(count)) + ";")
    main = [act for thing in things for act in thing.set_up()]
    first = len(main)
    main += [create(i) for i in range(count)]
    if maker.chance(0.4):
        main += maker.pick(*things).use()
    joined = [] if maker.chance(0.1) else [i for i in range(count) if not (maker.flaw() and framed)]
    last = len(main)
    main += [join(i) for i in joined]
    if maker.chance(0.3) and joined == list(range(count)):
        main += [maker.pick(*things).touch()]
    if not framed or maker.chance(0.2):
        tamper_somewhere(maker, things, bodies, main, first, last)
    for index, body in enumerate(bodies):
        maker.thread(f"t{index}", body)
    if framed:
        locals_ = [Act(f"struct S{t.name} v{t.name}; {t.name} = &v{t.name};", "begin", t.lock, RAW) for t in things]
        locals_ += [Act(f"{t.name}->x = 0;", "begin", t.data, 0) for t in things]
        maker.prog.funcs.append(Act("static void frame(void) {", body=locals_ + main))
        ends = [c for t in things for c in (t.lock, t.data)]
        main = [Act("frame();", "call", "frame").plus("end", *ends), touch_late(maker)]
    maker.main(main)


def touch_late(maker):
    maker.declare("int late;", late=0)
    return touch("late")
