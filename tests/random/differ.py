#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares heddle's verdicts and searches on random concurrent programs with exact enumeration and ThreadSanitizer.

  differ.py --heddle build/release/heddle --count 1000 --seed 1 [--jobs 2] [--tsan-every 20] [--keep DIR]
  differ.py --show 1:17            print program 17 of seed 1 and its exact answer

Ends with 'N passed, M failed'; the exit code is 1 when something failed. See README.md.
"""

import argparse
import collections
import multiprocessing
import os
import sys
import tempfile

from compile import BadProgram
from families import FAMILIES, generate_family
from families.frame import PRELUDE, FamilyProg
from generate import generate
from lang import Prog
from oracles import Batch, Exact, Families, Heddle, Tsan
from prelude import HEADERS, LIGHT, VERIFIER
from searches import is_undefined, judge_searches, truth
from shrink import shrink
from wild import WildProg, shrink_wild
from wild_main import generate_wild


UNPROVED = "not proved"  # no failure; kept with --imprecise


def judge(prog, exact, heddle, tsan, pairs, imprecise=False):
    """The name of what is wrong, or '' when all answers agree."""
    if heddle.trouble:
        return "trouble: " + heddle.trouble
    # Wake-ups without a signal happen in the enumeration of Python only: there it may see more races.
    text = prog.text()
    waits = "pthread_cond_wait(&" in text
    known = "" if exact.verdict == "racy" and waits else exact.verdict
    if exact.verdict.startswith("undefined"):
        return ""
    if exact.verdict == "racy" and exact.pairs & heddle.refuted:
        return "refuted pair is racy"
    wrong = judge_searches(heddle.searches, known, heddle.verdict, "__VERIFIER_assume(" in text)
    if wrong:
        return wrong
    if tsan and tsan.verdict == "racy" and not waits and truth(heddle.searches) == "race-free":
        return "tsan has a race that the searches do not have"
    if heddle.verdict == "race-free" and exact.verdict == "racy":
        return "unsound (exact)"
    if heddle.verdict == "racy" and exact.verdict in ("race-free", "ambiguous"):
        return "false race (exact)"
    if tsan and tsan.trouble:
        return "tsan: " + tsan.trouble
    if tsan and tsan.verdict == "racy" and not is_undefined(heddle.searches):
        if exact.verdict == "race-free":
            return "oracles disagree"
        if heddle.verdict == "race-free" and exact.verdict != "ambiguous":
            return "unsound (tsan)"
    if pairs and heddle.verdict == "unknown" and exact.verdict == "racy" and heddle.complete:
        if exact.pairs - heddle.pairs:
            return "pair refuted"
    if imprecise and heddle.verdict == "unknown" and exact.verdict == "race-free":
        return UNPROVED
    return ""


def judge_family(exact, heddle):
    if heddle.trouble:
        return "trouble: " + heddle.trouble
    if heddle.verdict == "race-free" and exact.verdict == "racy":
        return "unsound (exact)"
    if heddle.verdict == "racy" and exact.verdict in ("race-free", "ambiguous"):
        return "false race (exact)"
    if heddle.verdict == "racy" and exact.detail == "by input" and "given the inputs" not in heddle.detail:
        return "inputs are not listed"
    return ""


def program_named(name, args):
    """Even numbers are trees that Python can run, each fourth program is of a family, the others are wild C."""
    if args.topics:
        return generate(name, topics=args.topics.split(","))
    number = int(name.rpartition(":")[2])
    if args.families or number % 4 == 3:
        return generate_family(name, args.families.split(",") if args.families not in (None, "all") else None)
    return generate_wild(name) if number % 2 else generate(name)


class Tester:
    def __init__(self, args):
        self.args = args
        self.exact = Exact(args.states)
        self.batch = Batch(args.heddle, args.budget, args.static)
        self.quick = Batch(args.heddle, args.budget, args.static, modes=("none",))
        self.families = Families(args.heddle)
        self.tsan = Tsan(args.runs) if args.tsan_every else None

    def answers(self, prog, folder, alone=False, tsan=False):
        if isinstance(prog, FamilyProg):
            return self.families.truth(prog), self.families.ask(prog, folder), None
        exact = self.exact.ask(prog, folder)
        heddle = (self.quick if self.is_quick(prog) else self.batch).ask(prog, folder)
        if alone and heddle.trouble != "error":  # as a user starts it, twice
            searches = heddle.searches
            again = Heddle(self.args.heddle, twice=True).ask(prog, folder)
            if not (heddle.trouble or again.trouble) and again.verdict != heddle.verdict:
                again.trouble = "verify and enumerate differ"
            heddle = again if again.trouble else heddle
            heddle.searches = searches
        wanted = tsan and not exact.verdict.startswith("undefined")
        return exact, heddle, self.tsan.ask(prog, folder) if wanted else None

    def is_quick(self, prog):
        """Trees have an answer of their own: not each needs the searches."""
        return isinstance(prog, Prog) and int(prog.seed.rpartition(":")[2]) // 2 % self.args.searches_every != 0

    def one(self, number):
        name = f"{self.args.seed}:{number}"
        try:
            prog = program_named(name, self.args)
            every = self.args.tsan_every
            with tempfile.TemporaryDirectory() as folder:
                exact, heddle, tsan = self.answers(prog, folder, number % 50 < 2 and self.args.static,
                                                   bool(every) and number // 2 % every == 0)
                if isinstance(prog, WildProg) and heddle.trouble == "error":
                    raise BadProgram(heddle.detail)
                wrong = self.judge(prog, exact, heddle, tsan)
                text = self.reduce(prog, wrong, folder) if wrong else ""
            if wrong and self.args.keep:
                self.save(name, wrong, prog, text, exact, heddle)
            seen = {k: (s["complete"], len(s["gaps"])) for k, s in heddle.searches.items()}
            known = exact.verdict if exact.verdict != "not asked" else truth(heddle.searches)
            return number, known, heddle.verdict, tsan.verdict if tsan else "", wrong, text, prog.idioms, seen
        except BadProgram:
            return number, "no program", "none", "", "", "", [], {}

    def judge(self, prog, exact, heddle, tsan):
        if isinstance(prog, FamilyProg):
            return judge_family(exact, heddle)
        return judge(prog, exact, heddle, tsan, self.args.pairs, self.args.imprecise)

    def reduce(self, prog, wrong, folder):
        if not self.args.shrink:
            return prog.text()
        with_tsan = "tsan" in wrong or "disagree" in wrong
        alone = "trouble" in wrong

        def fails(p):
            e, h, t = self.answers(p, folder, alone, with_tsan and self.tsan is not None)
            return self.judge(p, e, h, t) == wrong and not e.verdict.startswith("undefined")
        limit = 60 if with_tsan else 400
        if isinstance(prog, (FamilyProg, WildProg)):
            small = shrink_wild(prog, fails, limit)
            return small.text() + (small.notes() if isinstance(prog, FamilyProg) else "")
        small = shrink(prog, fails, limit)
        text = small.text()
        e = self.exact.ask(small, folder)
        return text + f"// exact: {e.verdict} at lines {sorted(e.pairs)}\n"

    def save(self, name, wrong, prog, text, exact, heddle):
        os.makedirs(self.args.keep, exist_ok=True)
        kind = wrong.split(" (")[0].replace(" ", "_").replace(":", "")
        stem = os.path.join(self.args.keep, kind + "-" + name.replace(":", "-"))
        with open(stem + ".c", "w", encoding="utf-8") as f:
            f.write(f"// {wrong}; program {name}\n// heddle: {heddle.verdict} {heddle.trouble}\n" + text)
        with open(stem + ".full.c", "w", encoding="utf-8") as f:
            f.write(prog.text())


def start_worker(args):
    global TESTER  # one per worker process
    TESTER = Tester(args)


def work(number):
    return TESTER.one(number)


def own_part(text):
    """Without the declarations that all programs share."""
    for lines in (LIGHT + VERIFIER, HEADERS + VERIFIER, PRELUDE):
        text = text.replace("\n".join(lines) + "\n", "")
    return text


def failed(result):
    return bool(result[4]) and result[4] != UNPROVED


def report(results):
    table = collections.Counter()
    by_idiom = collections.defaultdict(collections.Counter)
    searched = collections.defaultdict(collections.Counter)
    for _, exact, heddle, tsan, wrong, _, idioms, seen in results:
        for search, (complete, gaps) in seen.items():
            searched[search]["all seen" if complete and not gaps else "with gaps" if gaps else "not ended"] += 1
        kind = exact if exact in ("racy", "race-free", "ambiguous", "sampled") else "undecided"
        table[kind, heddle] += 1
        if tsan:
            table["tsan", tsan] += 1
        if kind == "race-free":
            for i in set(idioms):
                by_idiom[i][heddle == "race-free"] += 1
    for (truth, said), n in sorted(table.items()):
        print(f"{truth:10} answered {said:10} {n:6}")
    for search, counts in searched.items():
        print(f"{search:18} " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    proved = table["race-free", "race-free"]
    total = sum(n for (k, _), n in table.items() if k == "race-free")
    print(f"precision: {proved} of {total} race-free programs proved")
    for i, c in sorted(by_idiom.items(), key=lambda kv: kv[1][True] / (sum(kv[1].values()))):
        print(f"  with {i:10} {c[True]:5} of {sum(c.values()):5}")


def show(name, args):
    prog = program_named(name, args)
    print(prog.text(), end="")
    if isinstance(prog, FamilyProg):
        print(prog.notes(), end="")
        return
    answer = Exact(200000).ask(prog, ".")
    print(f"// {answer.verdict} at lines {sorted(answer.pairs)}, {answer.detail}; topics {prog.idioms}")


def parse_args():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--heddle", default="build/release/heddle")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", default="1")
    p.add_argument("--first", type=int, default=0, help="number of the first program")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--tsan-every", type=int, default=0, metavar="N", help="run each N-th program under ThreadSanitizer")
    p.add_argument("--runs", type=int, default=5, help="runs under ThreadSanitizer")
    p.add_argument("--states", type=int, default=1500, help="limit of the enumeration in Python")
    p.add_argument("--budget", type=int, default=4000, help="events of each search of heddle enumerate")
    p.add_argument("--searches-every", type=int, default=1, metavar="N",
                   help="of programs that Python can run, only each N-th by the searches too")
    p.add_argument("--topics", help="only these, with commas: poll,turn,tried,blink")
    p.add_argument("--families", help="programs of families only: all, or with commas " + ",".join(FAMILIES))
    p.add_argument("--no-static", dest="static", action="store_false", help="verify proves by its search alone")
    p.add_argument("--pairs", action="store_true", help="every racy pair of lines must be among the warnings")
    p.add_argument("--imprecise", action="store_true",
                   help="also shrink and keep race-free programs that are not proved")
    p.add_argument("--no-shrink", dest="shrink", action="store_false")
    p.add_argument("--keep", help="folder for failing programs, as found and shrunk")
    p.add_argument("--show", metavar="SEED:NUMBER", help="print one program")
    return p.parse_args()


def main():
    args = parse_args()
    if args.show:
        show(args.show, args)
        return 0
    numbers = range(args.first, args.first + args.count)
    results = []
    with multiprocessing.Pool(args.jobs, start_worker, (args,)) as pool:
        for r in pool.imap(work, numbers, chunksize=4):
            results.append(r)
            if failed(r):
                print(f"FAIL {args.seed}:{r[0]}: {r[4]} (exact {r[1]}, heddle {r[2]}, tsan {r[3] or '-'})")
                print(own_part(r[5]), flush=True)
            if len(results) % 1000 == 0:
                print(f"{len(results)} programs, {sum(map(failed, results))} failed", file=sys.stderr, flush=True)
    report(results)
    wrong = sum(map(failed, results))
    print(f"{len(results) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
