# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions in C++: thrown in threads, caught, rethrown, with destructors that lock and touch shared data, through
noexcept, and up to a terminate handler.

`Walk` follows one thread through its statements, with one list of answers for its nondeterministic branches, and gives
what it does as plain Acts; truth.py then knows the races. Whether destructors run before std::terminate is called is
up to the implementation: a program is judged only where that makes no difference.
"""

import itertools
import re

from families.frame import Act, FamilyProg, create, join
from families.truth import FREE, decide

MOST_BRANCHES = 3
TYPES = """
struct Toucher { int &v; Toucher(int &w) : v(w) {} ~Toucher() { v++; } };
struct Base { virtual ~Base() {} };
struct Plain : Base {};
struct Loud { Loud() {} Loud(const Loud &) {} ~Loud() { e++; } };
""".strip().splitlines()
OWN_GUARD = ("struct Guard { pthread_mutex_t &m; Guard(pthread_mutex_t &l) : m(l) { pthread_mutex_lock(&m); } "
             "~Guard() { pthread_mutex_unlock(&m); } };")
STANDARD_HEADERS = ["pthread.h", "cstdlib", "exception", "mutex"]
STANDARD = ["namespace std { typedef void (*terminate_handler)(); terminate_handler set_terminate(terminate_handler) noexcept;"
            " [[noreturn]] void terminate() noexcept; }"]
CATCHES = {"Loud": "Loud &", "Plain": "Plain &", "Base": "Base &", "int": "int", "...": "..."}
THROWS = {"Loud": "throw Loud();", "Plain": "throw Plain();", "int": "throw 1;"}


class Thrown(Exception):
    def __init__(self, sort):
        super().__init__()
        self.sort = sort


class Terminated(Exception):
    pass


class MoreBranches(Exception):
    pass


def catches(handler, sort):
    return handler in ("...", sort) or handler == "Base" and sort == "Plain"


class Walk:
    """What one thread does, as Acts in a row. `unwinds`: destructors run also where nothing catches."""

    def __init__(self, functions, handler, answers, unwinds):
        self.functions, self.handler, self.answers, self.unwinds = functions, handler, list(answers), unwinds
        self.acts = []
        self.caught, self.open_handlers = [], []  # exceptions being handled; types that someone around here catches

    def run(self, body):
        try:
            try:
                self.body(body)
            except Thrown:
                self.terminate()
        except Terminated:
            pass
        return self.acts

    def do(self, *what):
        self.acts.append(Act("", *what))

    def terminate(self):
        self.do("write", "h") if self.handler else None
        self.do("stop")
        raise Terminated

    def body(self, body):
        skip = 0
        for index, act in enumerate(body):
            if skip:
                skip -= 1
                continue
            handlers = []
            if act.kind == "try":
                for other in body[index + 1:]:
                    if other.kind != "catch":
                        break
                    handlers.append(other)
                skip = len(handlers)
                self.attempt(act, handlers)
            else:
                getattr(self, "do_" + act.kind, self.plain)(act)

    def do_catch(self, act):
        raise KeyError("catch")  # a smaller variant that lacks its try

    def plain(self, act):
        if act.kind:
            self.acts.append(act)

    def attempt(self, act, handlers):
        outer, self.open_handlers = self.open_handlers, self.open_handlers + [h.args[0] for h in handlers]
        try:
            self.body(act.body)
        except Thrown as thrown:
            self.open_handlers = outer
            for handler in handlers:
                if catches(handler.args[0], thrown.sort):
                    self.handle(handler, thrown)
                    return
            raise
        self.open_handlers = outer

    def handle(self, handler, thrown):
        self.caught.append(thrown)
        try:
            self.body(handler.body)
        except Thrown as again:
            self.caught.pop()
            if again is not thrown and (self.unwinds or self.is_caught(again)):
                self.drop(thrown)
            raise
        self.caught.pop()
        self.drop(thrown)

    def drop(self, thrown):
        """The exception object ends with the last handler that has it."""
        if thrown.sort == "Loud" and thrown not in self.caught:
            self.do("write", "e")

    def leave(self, act, ending):
        """A scope whose end does something, also if an exception passes through."""
        try:
            self.body(act.body)
        except Thrown as thrown:
            if self.unwinds or self.is_caught(thrown):
                ending()
            raise
        ending()

    def is_caught(self, thrown):
        return any(catches(h, thrown.sort) for h in self.open_handlers)

    def do_guard(self, act):
        self.do("op", act.args[0], "lock", "")
        self.leave(act, lambda: self.do("op", act.args[0], "unlock", ""))

    def do_toucher(self, act):
        self.leave(act, lambda: self.do("write", act.args[0]))

    def do_throw(self, act):
        raise Thrown(act.args[0])

    def do_rethrow(self, act):
        if not self.caught:
            self.terminate()
        raise self.caught[-1]

    def do_maybe(self, act):
        if not self.answers:
            raise MoreBranches
        if self.answers.pop(0):
            self.body(act.body)

    def do_terminate(self, act):
        self.terminate()

    def do_function(self, act):
        self.body(self.functions[act.args[0]])

    def do_quiet(self, act):
        """A call of a noexcept function."""
        outer, self.open_handlers = self.open_handlers, []
        try:
            self.body(self.functions[act.args[0]])
        except Thrown:
            self.terminate()
        finally:
            self.open_handlers = outer


class ExceptionProg(FamilyProg):
    def decide(self, functions):
        names = [n for n in functions if re.fullmatch(r"t\d", n)] + ["main"]
        answers = {self.judge(functions, names, unwinds) for unwinds in (False, True)}
        return (answers.pop() if len(answers) == 1 else "undefined"), False

    def judge(self, functions, names, unwinds):
        """The worst over all answers to nondeterministic branches."""
        ways = [self.ways(functions, functions[name], unwinds) for name in names]
        found = set()
        for chosen in itertools.product(*ways):
            found.add(decide(dict(zip(names, chosen)), dict(self.cells), self.limit)[0])
            if "racy" in found:
                return "racy"
        return next((a for a in ("cut", "ambiguous", "undefined") if a in found), "race-free")

    def ways(self, functions, body, unwinds):
        done, todo = [], [()]
        while todo:
            answers = todo.pop()
            try:
                done.append(Walk(functions, self.handler, answers, unwinds).run(body))
            except MoreBranches:
                if len(answers) < MOST_BRANCHES:
                    todo += [answers + (0,), answers + (1,)]
        return done


class Exceptions:
    def __init__(self, maker):
        self.maker = maker
        cells = {"x": 0, "y": 0, "e": 0, "h": 0, "m": FREE, "n": FREE}
        if maker.chance(0.03):
            maker.prog.real_headers = STANDARD_HEADERS
            maker.declare("int x, y, e, h; std::mutex m, n; typedef std::lock_guard<std::mutex> Guard;", **cells)
            maker.declare("extern \"C\" bool __VERIFIER_nondet_bool();")
        else:
            maker.declare("int x, y, e, h; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
                          **cells)
            maker.prog.decls += [OWN_GUARD] + STANDARD
        maker.prog.decls += TYPES
        self.lock = {"x": "m", "y": maker.pick("m", "n"), "e": "n", "h": "n"}
        self.branches = 0

    def touch(self):
        cell = self.maker.pick("x", "x", "x", "y", "e", "h")
        act = Act(f"{cell}++;", "write", cell)
        if self.maker.flaw() or self.maker.chance(0.15):
            return [act]
        return [self.guard([act], self.lock[cell])]

    def guard(self, body, lock=None):
        lock = lock or self.maker.pick("m", "n")
        return Act(f"{{ Guard {self.maker.fresh('g')}({lock});", "guard", lock, body=body)

    def body(self, depth, in_catch=False):
        maker, acts = self.maker, []
        for _ in range(maker.pick(1, 1, 2)):
            what = maker.pick("touch", "touch", "throw", "scope", "try", "try", "call", "maybe", "rethrow")
            if depth <= 0:
                what = maker.pick("touch", "throw", "rethrow" if in_catch else "touch")
            acts += getattr(self, "make_" + what)(depth, in_catch)
        return acts

    def make_touch(self, depth, in_catch):
        return self.touch()

    def make_throw(self, depth, in_catch):
        sort = self.maker.pick(*THROWS)
        return [Act(THROWS[sort], "throw", sort)]

    def make_rethrow(self, depth, in_catch):
        return [Act("throw;", "rethrow")] if in_catch else self.touch()

    def make_scope(self, depth, in_catch):
        maker = self.maker
        if maker.chance(0.5):
            return [self.guard(self.body(depth - 1, in_catch))]
        cell = maker.pick("x", "y")
        inner = Act(f"{{ Toucher {maker.fresh('o')}({cell});", "toucher", cell, body=self.body(depth - 1, in_catch))
        return [inner] if maker.chance(0.4) else [self.guard([inner], self.lock[cell])]

    def make_try(self, depth, in_catch):
        maker = self.maker
        acts = [Act("try {", "try", body=self.body(depth - 1, in_catch))]
        for sort in maker.rng.sample(list(CATCHES)[:4], maker.pick(0, 1, 1, 2)):
            acts.append(self.handler_of(sort, depth))
        if len(acts) == 1 or maker.chance(0.3):
            acts.append(self.handler_of("...", depth))
        if "Base" in (order := [a.args[0] for a in acts[1:]]) and "Plain" in order:
            acts[1:] = sorted(acts[1:], key=lambda a: (a.args[0] == "...", a.args[0] == "Base"))
        return acts

    def handler_of(self, sort, depth):
        return Act(f"catch ({CATCHES[sort]}) {{", "catch", sort, body=self.body(depth - 1, True))

    def make_call(self, depth, in_catch):
        maker = self.maker
        name, quiet = maker.fresh("f"), maker.chance(0.4)
        body = self.body(depth - 1)
        maker.prog.funcs.append(Act(f"static void {name}(){' noexcept' if quiet else ''} {{", body=body))
        return [Act(f"{name}();", "quiet" if quiet else "function", name)]

    def make_maybe(self, depth, in_catch):
        if self.branches >= MOST_BRANCHES:
            return self.touch()
        self.branches += 1
        return [Act("if (__VERIFIER_nondet_bool()) {", "maybe", body=self.body(depth - 1, in_catch))]


def make(maker):
    old = maker.prog
    maker.prog = ExceptionProg(old.name, old.family, suffix=".cpp", limit=1500)
    f = Exceptions(maker)
    maker.prog.handler = maker.chance(0.5)
    if maker.prog.handler:
        maker.declare("static void handler() { h++; abort(); }")
    count = maker.pick(1, 2, 2)
    maker.declare("pthread_t " + ", ".join(f"h{i}" for i in range(count)) + ";")
    for index in range(count):
        f.branches = 0
        body = f.body(2)
        if not maker.flaw():
            body = [Act("try {", "try", body=body), Act("catch (...) {", "catch", "...", body=[])]
        maker.thread(f"t{index}", body)
    main = [Act("std::set_terminate(handler);")] if maker.prog.handler else []
    main += [create(i) for i in range(count)]
    if maker.chance(0.4):
        f.branches = 0
        main += f.body(1)
    main += [join(i) for i in range(count)]
    maker.main(main, "int main()")
