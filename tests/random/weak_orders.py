#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares heddle's verdicts on small programs with atomics of every order with all executions that C and C++ allow.

  weak_orders.py --heddle build/release/heddle --count 300 --seed 1 [--jobs 2]
  weak_orders.py --show 1:17       print program 17 of seed 1 and its exact answer

A program is two or three threads of a few operations: stores, loads (some guard what follows), updates, fences, plain
accesses. In some x lies in memory that ends when the first thread, main itself, is done: to the others that is a write.
The oracle (`Executions`) enumerates candidate executions: what each thread does for each value it may read, which write
each read reads, the order of the writes to each object. It keeps those that RC11 allows (Lahav et al., PLDI 2017:
coherence, atomicity, sequentially consistent accesses and fences, no reads out of thin air), and looks for two
conflicting accesses that happens-before does not order. Release sequences are those of C++20 (`strict`) and those of
C11 (`lenient`).

heddle may say `race` only if some execution races by the lenient rule, `race-free` only if none does by the strict
one. Store buffering and its like, which no interleaving shows, are in here: there `unknown` is the only answer it has.
Ends with 'N passed, M failed' and how often each answer was given.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import attacks  # noqa: E402: the path comes first

LOAD = ["relaxed", "consume", "acquire", "seq_cst"]
STORE = ["relaxed", "release", "seq_cst"]
UPDATE = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]
FENCE = ["acquire", "release", "acq_rel", "seq_cst"]
ACQUIRES = {"acquire", "acq_rel", "seq_cst"}
RELEASES = {"release", "acq_rel", "seq_cst"}
MOST_READS = 3
MOST_CANDIDATES = 60_000


# --- programs: a thread is a list of ("store", object, value, order), ("load", object, order, guard, rest),
# --- ("update", object, order, guard, rest), ("fence", order), ("write", variable), ("read", variable)


def make_body(rng, atomics, depth, budget):
    body = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choices(["plain", "store", "load", "update", "fence"], [4, 4, 4 * (depth < 2), 2 * (depth < 2), 1])[0]
        if kind == "plain":
            body.append((rng.choice(["write", "write", "read"]), rng.choice("xy")))
        elif kind == "store":
            body.append(("store", rng.choice(atomics), rng.choice([1, 1, 2]), rng.choice(STORE)))
        elif kind == "fence":
            body.append(("fence", rng.choice(FENCE)))
        elif budget[0] > 0:
            budget[0] -= 1
            order = rng.choice(LOAD if kind == "load" else UPDATE)
            guard = rng.choice([None, 1, 1, 2, 0])
            rest = make_body(rng, atomics, depth + 1, budget) if guard is not None else []
            body.append((kind, rng.choice(atomics), order, guard, rest))
    return body


def message(rng, atomics):
    """Message passing with random orders, sometimes with a chain of updates or fences in between."""
    flag = atomics[0]
    giver = [("write", "x")] + [("fence", rng.choice(FENCE))] * rng.choice([0, 0, 1])
    giver += [("store", flag, 1, rng.choice(STORE))] + [("store", flag, 2, rng.choice(STORE))] * rng.choice([0, 0, 1])
    wanted = rng.choice([1, 2])
    rest = [("fence", rng.choice(FENCE))] * rng.choice([0, 0, 1]) + [(rng.choice(["write", "read"]), "x")]
    kind = rng.choice(["load", "load", "update"])
    taker = [(kind, flag, rng.choice(LOAD if kind == "load" else UPDATE), wanted, rest)]
    threads = [giver, taker]
    if rng.random() < 0.4:
        threads.append(rng.choice([[("update", flag, rng.choice(UPDATE), None, [])],
                                   [("store", flag, 2, rng.choice(STORE))],
                                   [("load", flag, rng.choice(LOAD), 1, [("store", flag, 2, rng.choice(STORE))])]]))
    return threads


def litmus(rng):
    """Store buffering, load buffering, a message handed on, with two objects."""
    strong = rng.random() < 0.3  # else nearly every program races
    store = lambda where, value=1: ("store", where, value, "seq_cst" if strong else rng.choice(STORE))
    fences = lambda: [("fence", rng.choice(FENCE + ["seq_cst"] * 3))] * rng.choice([0, 0, 1])

    def load(where, value, rest):
        return ("load", where, "seq_cst" if strong and rng.random() < 0.9 else rng.choice(LOAD), value, rest)

    plain = (rng.choice(["write", "write", "read"]), "x")
    shape = rng.choice(["store buffering", "load buffering", "handed on"])
    if shape == "store buffering":
        return [[store("f"), *fences(), load("g", 0, [("write", "x")])],
                [store("g"), *fences(), load("f", 0, [plain])]]
    if shape == "load buffering":
        return [[load("f", 1, [("write", "x")]), *fences(), store("g")], [load("g", 1, [plain]), *fences(), store("f")]]
    return [[("write", "x"), *fences(), store("f")], [load("f", 1, [*fences(), store("g")])],
            [load("g", 1, [*fences(), plain])]]


class TooLarge(Exception):
    """There are too many candidate executions."""


def make_program(seed, number):
    """Its text and its executions; what is too large for the oracle is made again."""
    for attempt in itertools.count():
        threads = propose(random.Random(f"weak orders {seed}:{number}:{attempt}"))
        ending = random.Random(f"endings {seed}:{number}").choice([None, None, *ENDINGS])
        if ending:
            threads[0] = threads[0] + [("write", "x")]
        try:
            return text_of(threads, ending), Executions(threads)
        except TooLarge:
            pass


def propose(rng):
    atomics = "f" if rng.random() < 0.6 else "fg"
    if rng.random() < 0.7:
        return message(rng, atomics) if rng.random() < 0.6 else litmus(rng)
    budget = [MOST_READS]
    return [make_body(rng, atomics, 0, budget) for _ in range(rng.choice([2, 2, 3]))]


# What holds x, and how it ends: the function's parameters, its first lines, the call, the function's last lines.
ENDINGS = {
    "parameter": ("struct holder s", ["    void *a = &s;"], "struct holder s = {0};\n    run(s)", []),
    "local": ("void", ["    struct holder s = {0};", "    void *a = &s;"], "run()", []),
    "heap": ("void", ["    void *a = calloc(1, sizeof(struct holder));"], "run()", ["    free(a);"]),
}


def text_of(threads, ending):
    def lines(body, indent):
        for op in body:
            if op[0] == "write":
                yield f"{indent}{op[1]} = 1;"
            elif op[0] == "read":
                yield f"{indent}(void)*(volatile int *)&{op[1]};"
            elif op[0] == "fence":
                yield f"{indent}atomic_thread_fence(memory_order_{op[1]});"
            elif op[0] == "store":
                yield f"{indent}atomic_store_explicit(&{op[1]}, {op[2]}, memory_order_{op[3]});"
            else:
                call = (f"atomic_load_explicit(&{op[1]}, memory_order_{op[2]})" if op[0] == "load"
                        else f"atomic_fetch_add_explicit(&{op[1]}, 1, memory_order_{op[2]})")
                if op[3] is None:
                    yield f"{indent}{call};"
                else:
                    yield f"{indent}if ({call} == {op[3]}) {{"
                    yield from lines(op[4], indent + "    ")
                    yield indent + "}"

    out = ["#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>", "atomic_int f, g;", "int y;"]
    out += ["struct holder { int x; long rest[7]; };", "#define x (((struct holder *)a)->x)"] if ending else ["int x;"]
    count = len(threads)
    out.append(f"pthread_t h[{count}];")
    first = 1 if ending else 0
    for i in range(first, count):
        out += [f"void *t{i}(void *a) {{", *lines(threads[i], "    "), "    return 0;", "}"]
    starts = [f"    pthread_create(&h[{i}], 0, t{i}, {'a' if ending else '0'});" for i in range(first, count)]
    if ending:
        parameters, begin, call, end = ENDINGS[ending]
        out += [f"void run({parameters}) {{", *begin, *starts, *lines(threads[0][:-1], "    "), *end, "}"]
        starts = [f"    {call};"]
    out += ["int main(void) {", *starts, *(f"    pthread_join(h[{i}], 0);" for i in range(first, count))]
    return "\n".join(out + ["    return 0;", "}"]) + "\n"


# --- the oracle


class Event:
    __slots__ = ("thread", "kind", "where", "order", "read", "written", "number")

    def __init__(self, thread, kind, where="", order="", read=None, written=None):
        self.thread, self.kind, self.where, self.order = thread, kind, where, order
        self.read, self.written, self.number = read, written, 0

    @property
    def reads(self):
        return self.kind in ("load", "update")

    @property
    def writes(self):
        return self.kind in ("init", "store", "update")


def paths(thread, body, values):
    """All sequences of events of a thread, for all values its reads may give."""
    if not body:
        return [[]]
    op, rest = body[0], body[1:]
    out = []
    if op[0] in ("write", "read"):
        heads = [([Event(thread, op[0], op[1])], [])]
    elif op[0] == "fence":
        heads = [([Event(thread, "fence", "", op[1])], [])]
    elif op[0] == "store":
        heads = [([Event(thread, "store", op[1], op[3], None, op[2])], [])]
    else:
        heads = []
        for value in values:
            written = value + 1 if op[0] == "update" else None
            heads.append(([Event(thread, op[0], op[1], op[2], value, written)], op[4] if value == op[3] else []))
    for head, inner in heads:
        for tail in paths(thread, list(inner) + list(rest), values):
            out.append([Event(e.thread, e.kind, e.where, e.order, e.read, e.written) for e in head + tail])
    return out


def closure(edges, count):
    reach = [set() for _ in range(count)]
    for a, b in edges:
        reach[a].add(b)
    for k in range(count):
        for i in range(count):
            if k in reach[i]:
                reach[i] |= reach[k]
    return reach


def is_acyclic(edges, count):
    return not any(i in row for i, row in enumerate(closure(edges, count)))


class Executions:
    """lenient, strict: whether some execution races by that rule for release sequences."""

    def __init__(self, threads):
        self.lenient = self.strict = False
        self.candidates = 0
        values = self.values_of(threads)
        choices = [paths(t, body, values) for t, body in enumerate(threads)]
        for chosen in itertools.product(*choices):
            self.look_at(chosen)
            if self.lenient and self.strict:
                return

    @staticmethod
    def values_of(threads):
        """No object gets above the largest value stored plus the number of updates."""
        stored, updates = [0], 0
        stack = [op for body in threads for op in body]
        while stack:
            op = stack.pop()
            if op[0] == "store":
                stored.append(op[2])
            if op[0] == "update":
                updates += 1
            if op[0] in ("load", "update"):
                stack.extend(op[4])
        return range(0, max(stored) + updates + 1)

    def look_at(self, chosen):
        events = [Event(-1, "init", where, "relaxed", None, 0) for where in "fg"]
        events += [event for thread in chosen for event in thread]
        for number, event in enumerate(events):
            event.number = number
        sources = [[w for w in events if w.writes and w.where == r.where and w.written == r.read and w is not r]
                   for r in events if r.reads]
        readers = [r for r in events if r.reads]
        self.candidates += 1
        if not all(sources):
            return
        po = {(a.number, b.number) for a in events for b in events
              if a.thread == b.thread and a.number < b.number or a.thread == -1 and b.thread != -1}
        for picked in itertools.product(*sources):
            read_from = {r.number: w.number for r, w in zip(readers, picked)}
            if not is_acyclic(po | {(w, r) for r, w in read_from.items()}, len(events)):
                continue
            for order in itertools.product(*(self.orders(events, where) for where in "fg")):
                self.judge(events, po, read_from, order)
                if self.lenient and self.strict:
                    return

    @staticmethod
    def orders(events, where):
        writes = [e.number for e in events if e.writes and e.where == where]
        return [(writes[0], *rest) for rest in itertools.permutations(writes[1:])]

    def judge(self, events, po, read_from, orders):
        count = len(events)
        self.candidates += 1
        if self.candidates > MOST_CANDIDATES:
            raise TooLarge
        position = {w: i for order in orders for i, w in enumerate(order)}
        if not self.is_coherent_in_threads(events, read_from, position):
            return
        if any(events[r].kind == "update" and position[r] != position[w] + 1 for r, w in read_from.items()):
            return
        co = {(a, b) for order in orders for i, a in enumerate(order) for b in order[i + 1:]}
        fr = {(r, b) for r, w in read_from.items() for a, b in co if a == w and b != r}
        rf = {(w, r) for r, w in read_from.items()}
        eco = closure(rf | co | fr, count)
        for lenient in (True, False):
            if lenient and self.lenient or not lenient and self.strict:
                continue
            hb = closure(po | self.synchronised(events, po, read_from, position, lenient), count)
            if any(a in hb[a] or any(a in eco[b] for b in hb[a]) for a in range(count)):
                continue
            if not self.sequential(events, po, hb, co, fr, eco):
                continue
            if self.races(events, hb):
                if lenient:
                    self.lenient = True
                else:
                    self.strict = True

    @staticmethod
    def is_coherent_in_threads(events, read_from, position):
        """A thread never goes back in the modification order: most candidates end here."""
        last = {}
        for event in events:
            if not (event.reads or event.writes):
                continue
            number = event.number
            at = position[number] if event.writes else position[read_from[number]]
            key = event.thread, event.where
            if last.get(key, -1) > at or event.writes and not event.reads and last.get(key, -1) == at:
                return False
            last[key] = at
        return True

    @staticmethod
    def synchronised(events, po, read_from, position, lenient):
        """Edges from release operations or fences to acquire operations or fences."""
        edges = set()
        for head in events:
            if head.kind not in ("store", "update"):
                continue
            givers = [head.number] if head.order in RELEASES else []
            givers += [e.number for e in events if e.kind == "fence" and e.order in RELEASES and (e.number, head.number) in po]
            if not givers:
                continue
            sequence = {head.number}
            order = sorted((w for w in position if events[w].where == head.where), key=position.get)
            for write in order[position[head.number] + 1:]:
                if events[write].kind == "update" or lenient and events[write].thread == head.thread:
                    sequence.add(write)
                else:
                    break
            for reader, write in read_from.items():
                if write not in sequence or events[reader].thread == head.thread and reader == head.number:
                    continue
                takers = [reader] if events[reader].order in ACQUIRES else []
                takers += [e.number for e in events
                           if e.kind == "fence" and e.order in ACQUIRES and (reader, e.number) in po]
                edges |= {(g, t) for g in givers for t in takers if events[g].thread != events[t].thread}
        return edges

    @staticmethod
    def sequential(events, po, hb, co, fr, eco):
        """The condition of RC11 on sequentially consistent accesses and fences."""
        count = len(events)
        same = lambda a, b: events[a].where == events[b].where and events[a].where in ("f", "g")
        other = {(a, b) for a, b in po if not same(a, b)}
        behind = [set() for _ in range(count)]
        for a, b in other:
            behind[a].add(b)
        scb = set(po) | co | fr | {(a, b) for a in range(count) for b in hb[a] if same(a, b)}
        for a in range(count):
            for b in behind[a]:
                for c in hb[b]:
                    scb |= {(a, d) for d in behind[c]}
        strong = [e.number for e in events if e.order == "seq_cst" and e.kind != "fence"]
        fences = [e.number for e in events if e.order == "seq_cst" and e.kind == "fence"]
        reach = lambda f: hb[f] | {f}
        starts = {a: {a} for a in strong} | {f: reach(f) for f in fences}
        ends = {a: {a} for a in strong} | {f: {b for b in range(count) if f in hb[b]} | {f} for f in fences}
        psc = {(a, b) for a in starts for b in ends for p in starts[a] for q in ends[b] if (p, q) in scb}
        hb_eco = lambda a: {d for b in hb[a] for c in eco[b] for d in hb[c]}
        psc |= {(f, k) for f in fences for k in fences if k in hb[f] or k in hb_eco(f)}
        return is_acyclic(psc, count)

    @staticmethod
    def races(events, hb):
        plain = [e for e in events if e.kind in ("read", "write")]
        return any(a.thread != b.thread and a.where == b.where and "write" in (a.kind, b.kind)
                   and b.number not in hb[a.number] and a.number not in hb[b.number]
                   for a, b in itertools.combinations(plain, 2))


# --- the comparison


def verdict_of(heddle, text, folder, name, command):
    path = os.path.join(folder, name + ".c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if command == "scan" and "struct holder" in text:
        return "unknown"  # no scan looks for uses behind the end of a local variable
    if command == "scan":
        races, why = attacks.suspected(heddle, path)
        return "none: " + why if why else "unknown" if races else "race-free"
    done = subprocess.run([heddle, command, path], capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("verdict: ")]
    return lines[-1][9:] if lines else "none: " + done.stderr.strip()


def try_one(job):
    heddle, seed, number, folder, command = job
    text, exact = make_program(seed, number)
    got = verdict_of(heddle, text, folder, f"p{number}", command)
    wrong = (got == "race" and not exact.lenient or got == "race-free" and exact.strict or
             got not in ("race", "race-free", "unknown"))
    return number, got, exact.lenient, exact.strict, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--command", choices=("verify", "scan", "explore"), default="verify",
                        help="scan: no suspected race is left; explore runs the program")
    parser.add_argument("--show", metavar="SEED:NUMBER")
    args = parser.parse_args()
    if args.show:
        seed, number = (int(part) for part in args.show.split(":"))
        text, exact = make_program(seed, number)
        print(text + f"// some execution races: {exact.lenient} (C11), {exact.strict} (C++20)")
        return 0
    if not args.heddle:
        parser.error("--heddle is missing: the binary to test")
    table, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        jobs = [(args.heddle, args.seed, n, folder, args.command) for n in range(args.first, args.first + args.count)]
        for number, got, lenient, strict, wrong in pool.map(try_one, jobs, chunksize=4):
            table["racy" if lenient and strict else "disputed" if strict else "race-free", got] += 1
            if wrong:
                failed += 1
                print(f"{args.seed}:{number}: heddle says {got}; executions race: {lenient} (C11), {strict} (C++20)")
    for (truth, got), count in sorted(table.items()):
        print(f"{truth:10} {got:10} {count}")
    print(f"{args.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
