# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole wild program: threads that use one or two disciplines, and how main starts, joins, detaches or outlives
them."""

from wild import Node, Wild, mutate
from wild_sync import ALL


def entry(w, rules, number):
    name = w.fresh("thread")
    body = ["int id = (int)(intptr_t)arg;"]
    for r in rules:
        if w.chance(0.9):
            use = r.use(number)
            body += [Node("{", w.shape(use, 1))] if w.chance(0.35) else use
    w.func(f"static void *{name}(void *arg)", body + ["return NULL;"])
    return name


def bare(w, rules, p):
    return [s for r in rules if w.chance(p) for s in r.bare()]


def protected(w, rules, p):
    return [s for r in rules if w.chance(p) for s in r.use(1)]


def create(handle, name, arg):
    return f"pthread_create(&{handle}, NULL, {name}, (void *)(intptr_t){arg});"


def separate(w, rules, entries):
    body = ["pthread_t h0, h1;", create("h0", entries[0], 0)]
    body += bare(w, rules, 0.5) if w.flaw() else []
    body.append(create("h1", entries[-1], 1))
    body += protected(w, rules, 0.15)
    joins = ["pthread_join(h0, NULL);", "pthread_join(h1, NULL);"]
    if w.flaw():
        joins[w.rng.randrange(2)] = w.pick("pthread_detach(h0);", "pthread_detach(h1);", "pthread_join(h0, NULL);")
    return body + joins + bare(w, rules, 0.5)


def handles(w, rules, entries):
    """Handles in an array, with steps, offsets and wrong loops; an element may be overwritten."""
    n = w.pick(2, 2, 3)
    step = w.pick(1, 1, 2)
    at = lambda i: w.pick(f"h[{i}]", f"h[{i} * {step}]") if step == 1 else f"h[{i} * {step}]"
    fill = [create(at("i") if not w.flaw() else "h[0]", entries[0] if w.chance(0.5) else entries[-1], "i")]
    low, high, by = (w.pick((0, n, 1), (1, n, 1), (0, n - 1, 1), (0, n, 2)) if w.flaw() or w.chance(0.2) else (0, n, 1))
    back = w.chance(0.2)
    join = f"pthread_join({at(f'({n - 1} - j)') if back else at('j')}, NULL);"
    body = [f"pthread_t h[{3 * step}];", Node(f"for (int i = 0; i < {n}; i++) {{", fill)] + protected(w, rules, 0.15)
    return body + [Node(f"for ({w.pick('int', 'unsigned char', 'long')} j = {low}; j < {high}; j += {by}) {{",
                        [join])] + bare(
        w, rules, 0.5)


def tree(w, rules, entries):
    """A thread that makes another one, and joins it, or hands its handle to main, or forgets it."""
    boss = w.fresh("boss")
    w.declare(f"pthread_t {boss}_child;")
    how = w.pick("joins", "joins", "hands on", "forgets")
    inner = ["int id = 3;"] + bare(w, rules, 0.3) + [f"pthread_create(&{boss}_child, NULL, {entries[0]}, arg);"] + protected(w, rules, 0.2)
    if how == "joins":
        inner += [f"pthread_join({boss}_child, NULL);"] + bare(w, rules, 0.3)
    w.func(f"static void *{boss}(void *arg)", inner + ["return NULL;"])
    body = ["pthread_t h0, h1;", create("h0", boss, 0)]
    two = w.chance(0.4)
    body += [create("h1", entries[-1], 1)] if two else []
    body.append("pthread_join(h0, NULL);")
    if how == "hands on":
        body.append(f"pthread_join({boss}_child, NULL);")
    return body + (["pthread_join(h1, NULL);"] if two else []) + bare(w, rules, 0.4 if how != "forgets" else 0.1)


def outlived(w, rules, entries):
    """Main ends, or leaves by pthread_exit, while threads run; handlers run then."""
    handler = w.fresh("handler")
    kind = w.pick("static void", "__attribute__((destructor)) static void")
    w.func(f"{kind} {handler}(void)", ["int id = 6;"] + (bare(w, rules, 0.7) if w.flaw() or w.chance(0.4)
                                                         else protected(w, rules, 0.7)))
    body = ["pthread_t h0, h1;"] + ([f"atexit({handler});"] if kind == "static void" else [])
    body += [create("h0", entries[0], 0), create("h1", entries[-1], 1)]
    joins = w.pick([], ["pthread_join(h0, NULL);"], ["pthread_join(h0, NULL);", "pthread_join(h1, NULL);"],
                   ["pthread_detach(h0);", "pthread_join(h1, NULL);"], ["pthread_detach(h0);", "pthread_detach(h1);"])
    last = w.pick([], ["pthread_exit(NULL);"], ["exit(0);"])
    return body + joins + (bare(w, rules, 0.3) if len(joins) == 2 else []) + last


def serial(w, rules, entries):
    body = ["pthread_t h0;"]
    for k in range(2):
        body += [create("h0", entries[-k], k), "pthread_join(h0, NULL);" if not w.flaw() else ";"] + bare(w, rules, 0.5)
    return body


def argument(w, rules, entries):
    """Workers that get a pointer: to their own element, or to a variable that main goes on to change."""
    worker, box = w.fresh("worker"), w.fresh("box")
    t = w.pick("int", "short", "char")
    w.declare(f"{t} {box}[4];")
    w.func(f"static void *{worker}(void *arg)", [f"{t} *mine = arg;", "int id = 1;",
                                                 w.pick("*mine += 1;", "mine[0]++;", "*(char *)mine = 1;",
                                                                                      "mine[1] = mine[0];")])
    where = [f"&{box}[0]", w.pick(f"&{box}[1]", f"&{box}[2]", f"(char *){box} + 1", f"{box} + 1", f"&{box}[3]")]
    if w.flaw():
        where[1] = where[0]
    loop = w.chance(0.3)
    if loop:
        f = "i" if not w.flaw() else "i / 2"
        body = ["pthread_t h[2];", Node("for (int i = 0; i < 2; i++) {",
                                        [f"pthread_create(&h[i], NULL, {worker}, &{box}[{f}]);"])]
        return body + ["pthread_join(h[0], NULL);", "pthread_join(h[1], NULL);", f"{box}[0]++;"]
    body = ["pthread_t h0, h1;"] + [f"pthread_create(&h{k}, NULL, {worker}, {where[k]});" for k in range(2)]
    return body + ["pthread_join(h0, NULL);", f"{box}[0]++;" if not w.flaw() else f"{box}[1]++;",
                   "pthread_join(h1, NULL);"]


PATTERNS = [separate] * 5 + [handles] * 3 + [tree] * 2 + [outlived] * 2 + [serial, argument]


def generate_wild(name):
    w = Wild(name)
    kinds = w.rng.choices(list(ALL), weights=[n for _, n in ALL.values()], k=w.pick(1, 1, 2))
    rules = [ALL[k][0](w) for k in kinds]
    w.prog.idioms = ["wild-" + k for k in kinds]
    w.prog.real_headers = w.chance(0.05)
    entries = [entry(w, rules, i) for i in range(w.pick(1, 2, 2, 2))]
    pattern = w.rng.choice(PATTERNS)
    body = ["int id = 5;"] + [s for r in rules for s in r.early] + bare(w, rules, 0.3)
    body += pattern(w, rules, entries) + ["return 0;"]
    w.func("int main(void)", body)
    return mutate(w.rng, w.prog, w.pick(0, 0, 0, 1, 1, 2))
