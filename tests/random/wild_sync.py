# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Disciplines: how the threads of a wild program agree about who touches what, and when.

`use(thread)` is one protected use by the thread with that number (0 to 2, main is 5); `bare()` one for when nobody else
runs; `early` and `late` are what main does before it starts and after it joined the others.
"""

from wild import Node
from wild_data import KINDS

ORDERS = {"load": ["relaxed", "acquire", "seq_cst"], "store": ["relaxed", "release", "seq_cst"],
          "update": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]}


class Discipline:
    def __init__(self, w):
        self.w = w
        self.data = w.pick(*KINDS)(w)
        self.early, self.late = list(self.data.setup), []
        self.build()

    def build(self):
        pass

    def some(self, places=None):
        w = self.w
        return [self.data.touch(places) for _ in range(w.pick(1, 1, 1, 2))]

    def bare(self):
        return [self.data.touch()]

    def order(self, kind, right):
        w = self.w
        return "memory_order_" + (w.pick(*ORDERS[kind]) if w.flaw() else right)


class Mutex(Discipline):
    """A mutex as variable, element, member, through a pointer that may change, recursive, tried."""

    def build(self):
        w = self.w
        m = w.fresh("m")
        self.kind = w.pick("plain", "plain", "array", "member", "pointer", "recursive", "errorcheck")
        if self.kind == "array":
            w.declare(f"pthread_mutex_t {m}[3];")
            self.locks = [f"&{m}[{w.rng.randrange(3)}]", f"&{m}[{w.pick('0', '1', 'id % 2', 'id / 4')}]"]
        elif self.kind == "member":
            w.declare(f"struct {{ int n; pthread_mutex_t lock; }} {m}[2];")
            self.locks = [f"&{m}[0].lock", f"&{m}[1].lock"]
        elif self.kind == "pointer":
            w.declare(f"pthread_mutex_t {m}_a, {m}_b; pthread_mutex_t *{m} = &{m}_a;")
            self.locks = [m, f"&{m}_b"]
            if w.chance(0.3):
                self.early.append(f"{m} = &{m}_b;")
        else:
            w.declare(f"pthread_mutex_t {m}, {m}_other;")
            self.locks = [f"&{m}", f"&{m}_other"]
            if self.kind in ("recursive", "errorcheck"):
                self.early += [f"pthread_mutexattr_t {m}_attr;", f"pthread_mutexattr_init(&{m}_attr);",
                               f"pthread_mutexattr_settype(&{m}_attr, PTHREAD_MUTEX_{self.kind.upper()});",
                               f"pthread_mutex_init(&{m}, &{m}_attr);"]

    def lock(self):
        return self.locks[1 if self.w.flaw() else 0]

    def use(self, thread):
        w, m, body = self.w, self.lock(), self.some()
        take, give = f"pthread_mutex_lock({m});", f"pthread_mutex_unlock({m});"
        if w.flaw():
            return body
        if self.kind == "recursive" and w.chance(0.5):
            return w.pick([take, take] + body + [give, give], [take, take, give] + body + [give],
                          [take, give] + body if w.flaw() else [take] + body + [give])
        if self.kind == "errorcheck" and w.chance(0.4):
            return [take, Node(f"if (pthread_mutex_lock({m}) != 0) {{", body), give]
        if self.kind == "pointer" and w.flaw():
            return [take] + body + [f"{self.locks[0]} = {self.locks[1]};", give]
        if w.chance(0.25):
            test = w.pick("== 0", "== 0", "== 0", "!= 0" if w.flaw() else "== 0")
            if w.chance(0.5):
                r = w.fresh("t")
                return [Node("{", [f"int {r} = pthread_mutex_trylock({m});",
                                   Node(f"if ({r} {test}) {{", body + [give])])]
            return [Node(f"if (pthread_mutex_trylock({m}) {test}) {{", body + [give])]
        return [take] + w.shape(body, 1) + [give]


class ReadWrite(Discipline):
    def build(self):
        self.l = self.w.fresh("rw")
        self.w.declare(f"pthread_rwlock_t {self.l};")

    def use(self, thread):
        w = self.w
        body = self.some()
        reads = all(s.startswith("int ") for s in body)
        take = f"pthread_rwlock_{'rdlock' if reads or w.flaw() else 'wrlock'}(&{self.l});"
        if w.chance(0.15):
            return [Node(f"if (pthread_rwlock_try{'rd' if reads else 'wr'}lock(&{self.l}) == 0) {{",
                         body + [f"pthread_rwlock_unlock(&{self.l});"])]
        return ([] if w.flaw() else [take]) + body + [f"pthread_rwlock_unlock(&{self.l});"]


class Semaphore(Discipline):
    """As a lock, or as a message; one post too many is a flaw."""

    def build(self):
        w = self.w
        self.s = w.fresh("sem")
        w.declare(f"sem_t {self.s};")
        self.message = w.chance(0.4)
        first = 0 if self.message else 1
        self.early.append(f"sem_init(&{self.s}, 0, {first + 1 if w.flaw() else first});")

    def use(self, thread):
        w, wait, post = self.w, f"sem_wait(&{self.s});", f"sem_post(&{self.s});"
        body = self.some()
        if w.flaw():
            return [post]
        if not self.message:
            if w.chance(0.2):
                return [Node(f"if (sem_trywait(&{self.s}) == 0) {{", body + [post])]
            return [wait] + body + [post]
        return ([post] + body if w.flaw() else body + [post]) if thread == 0 else [wait] + body


class Message(Discipline):
    """Data, then a flag: an atomic of some width, compared with a value that may not fit, in some memory order."""

    def build(self):
        w = self.w
        self.f = w.fresh("flag")
        self.type = w.pick("char", "short", "int", "unsigned char", "long", "_Bool")
        w.declare(f"_Atomic {self.type} {self.f};")
        self.value = w.pick(1, 1, 1, 2, 127, 256, 257, -1)

    def use(self, thread):
        w, body = self.w, self.some()
        if thread == 0:
            send = f"atomic_store_explicit(&{self.f}, {self.value}, {self.order('store', 'release')});"
            if w.chance(0.2):
                send = f"atomic_fetch_add_explicit(&{self.f}, 1, {self.order('update', 'acq_rel')});"
            if self.type == "_Bool" and "fetch" in send:
                send = f"atomic_store(&{self.f}, 1);"
            return [send] + body if w.flaw() else body + [send]
        load = f"atomic_load_explicit(&{self.f}, {self.order('load', 'acquire')})"
        test = w.pick(f"{load}", f"{load} == {self.value}", f"{load} > 0",
                      f"({self.type})(int){load} == ({self.type}){self.value}",
                      f"(unsigned char){load} == {self.value}", f"{load} != 0")
        return [Node(f"if ({test if not w.flaw() else '!' + load}) {{", body)]


class Claim(Discipline):
    """The first one to come owns the data: exchange, compare-exchange, counter."""

    def build(self):
        self.f = self.w.fresh("taken")
        self.type = self.w.pick("int", "char", "unsigned short")
        self.w.declare(f"_Atomic {self.type} {self.f};")

    def use(self, thread):
        w, e = self.w, self.w.fresh("e")
        body = self.some()
        order = self.order("update", w.pick("acq_rel", "seq_cst"))
        back = [f"atomic_store_explicit(&{self.f}, 0, {self.order('store', 'release')});"] if w.chance(0.5) else []
        if w.chance(0.4):
            fail = "memory_order_" + w.pick("relaxed", "acquire")
            if order.endswith(("relaxed", "release")):
                fail = "memory_order_relaxed"
            return [Node("{", [f"{self.type} {e} = 0;", Node(
                f"if (atomic_compare_exchange_strong_explicit(&{self.f}, &{e}, 1, {order}, {fail})) {{", body + back)])]
        how = w.pick("exchange", "fetch_add")
        return [Node(f"if (atomic_{how}_explicit(&{self.f}, 1, {order}) == {1 if w.flaw() else 0}) {{", body +
                     (back if how == "exchange" else []))]


class Section(Discipline):
    def use(self, thread):
        body = self.some()
        return body if self.w.flaw() else ["__VERIFIER_atomic_begin();"] + body + ["__VERIFIER_atomic_end();"]


class Condition(Discipline):
    def build(self):
        self.c = self.w.fresh("cv")
        self.w.declare(f"pthread_mutex_t {self.c}_m; pthread_cond_t {self.c}; {self.w.pick('int', 'char', '_Bool')} {self.c}_go;")

    def use(self, thread):
        w, c = self.w, self.c
        take, give = f"pthread_mutex_lock(&{c}_m);", f"pthread_mutex_unlock(&{c}_m);"
        if thread == 0:
            say = [take, f"{c}_go = 1;", f"pthread_cond_{w.pick('signal', 'broadcast')}(&{c});", give]
            return say + self.some() if w.flaw() else self.some() + say
        wait = Node(f"{'if' if w.flaw() else 'while'} (!{c}_go) {{", [f"pthread_cond_wait(&{c}, &{c}_m);"])
        return [take, wait, give] + self.some()


class Once(Discipline):
    """pthread_once; a control that is set back lets it run again."""

    def build(self):
        w = self.w
        self.o = w.fresh("once")
        w.declare(f"pthread_once_t {self.o}, {self.o}_other; int {self.o}_made;")
        w.func(f"static void {self.o}_init(void)", ["int id = 4;"] + self.some() + [f"{self.o}_made = 1;"])
        if w.chance(0.2):
            self.early += [f"pthread_once(&{self.o}, {self.o}_init);"]
            if w.flaw():
                self.early += [f"{self.o} = PTHREAD_ONCE_INIT;"]

    def use(self, thread):
        w = self.w
        control = f"{self.o}_other" if w.flaw() else self.o
        reset = [f"{self.o} = PTHREAD_ONCE_INIT;"] if w.flaw() else []
        return reset + [f"pthread_once(&{control}, {self.o}_init);", f"int {w.fresh('r')} = {self.o}_made;"]


class Apart(Discipline):
    """Each thread has its own places; or only one of them touches any."""

    def use(self, thread):
        w = self.w
        if len(self.data.places) > 1:
            return [self.data.touch(self.data.part(min(thread, 1), 2))]
        return self.some() if thread == 0 or w.flaw() else []


class Published(Discipline):
    """A heap object is made, filled, published under a lock; taken out and freed by whoever finds it."""

    def build(self):
        w = self.w
        self.p = w.fresh("pub")
        w.declare(f"struct {self.p}_t {{ int v; short k; }} *{self.p}; pthread_mutex_t {self.p}_m;")

    def bare(self):
        return [Node(f"if ({self.p}) {{", [f"{self.p}->v++;"])]

    def use(self, thread):
        w, p, q = self.w, self.p, self.w.fresh("q")
        take, give = f"pthread_mutex_lock(&{p}_m);", f"pthread_mutex_unlock(&{p}_m);"
        f = w.pick("v", "k")
        if thread == 0:
            late = [f"{q}->{f} = 2;"] if w.flaw() else []
            return [f"struct {p}_t *{q} = calloc(1, sizeof *{q});", f"{q}->{f} = 1;", take, f"{p} = {q};", give] + late
        out = [] if w.flaw() else [f"{p} = NULL;"]
        end = w.pick([f"{q}->{f}++;"], [f"{q}->{f}++;", f"free({q});"], [f"free({q});"])
        return [take, f"struct {p}_t *{q} = {p};"] + out + [give, Node(f"if ({q}) {{", end)]


class HomeMade(Discipline):
    """A lock made of a variable: taken and given back inside atomic sections."""

    def build(self):
        self.l = self.w.fresh("held")
        self.w.declare(f"{self.w.pick('int', 'char', 'unsigned short')} {self.l}; extern void __VERIFIER_assume(int);")

    def use(self, thread):
        w, l = self.w, self.l
        free, mine = w.pick((0, 1), (0, 1), (0, 2))
        if w.flaw():
            mine = 256
        take = ["__VERIFIER_atomic_begin();", f"__VERIFIER_assume({l} == {free});", f"{l} = {mine};",
                "__VERIFIER_atomic_end();"]
        give = ["__VERIFIER_atomic_begin();", f"{l} = {free};", "__VERIFIER_atomic_end();"]
        return take + self.some() + ([] if w.flaw() else give)


class OwnLock(Discipline):
    """An array of structs with a lock each; the element is chosen by number, by the thread's own, by pointer."""

    def build(self):
        w = self.w
        self.o = w.fresh("own")
        w.declare(f"struct {self.o}_t {{ {w.pick('int', 'char', 'short')} v; pthread_mutex_t lock; int n; }} {self.o}[3];")

    def bare(self):
        return [f"{self.o}[{self.w.rng.randrange(3)}].v++;"]

    def use(self, thread):
        w, o, q = self.w, self.o, self.w.fresh("e")
        i = w.pick("0", "1", "id % 3", "id & 1", "(id + 2) % 3")
        j = w.pick("0", "1", "id % 2") if w.flaw() else i
        f = w.pick("v", "v", "n")
        if w.chance(0.4):
            return [Node("{", [f"struct {o}_t *{q} = &{o}[{i}];", f"pthread_mutex_lock(&{q}->lock);",
                               f"{o}[{j}].{f}++;",
                               f"pthread_mutex_unlock(&{q}->lock);"])]
        return [f"pthread_mutex_lock(&{o}[{i}].lock);", f"{o}[{j}].{f} += 1;", f"pthread_mutex_unlock(&{o}[{i}].lock);"]


ALL = {"mutex": (Mutex, 6), "rwlock": (ReadWrite, 2), "semaphore": (Semaphore, 3), "message": (Message, 5),
       "claim": (Claim, 3),
       "section": (Section, 1), "condition": (Condition, 2), "once": (Once, 2), "apart": (Apart, 5),
       "published": (Published, 2),
       "homemade": (HomeMade, 2), "ownlock": (OwnLock, 2)}
