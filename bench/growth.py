#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How `scan` and `verify` grow with one thing of a program at a time: functions on a variable, locks held at once, …

usage: growth.py --heddle HEDDLE [--against OLD] [--only TEXT…] [--command scan|verify] [--seconds 60] [--memory GB]
       growth.py --show CASE SIZE        prints a generated program

Each case has a generator of programs of size n and the sizes that each command gets, one twice as large as the other
(--fewer N leaves the N largest sizes out).
A run that takes more than --seconds of processor time, or more than --memory gigabytes of address space, ends the row
for its build.
With --against the two builds take turns, size by size. Time is processor time of the process, memory its largest
resident set, output the size of the report in text with details. The powers are those of the last doubling that ended
and took LONG_ENOUGH seconds: time is compared without what the smallest program takes, memory likewise. `answer` is
that of the largest program that ended: the verdict of verify or the exit code of scan; `*` if a budget ended it.
"""
import argparse
import functools
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

LONG_ENOUGH = 0.25  # seconds: below it, a power says little
INCLUDE = "#include <pthread.h>\n#include <stdlib.h>\n"


# ---- programs


def lines(n, form):
    return "".join(form.format(i=i, next=(i + 1) % n, last=i - 1) + "\n" for i in range(n))


def two_threads(work, before="", declared=""):
    """Two threads that run `work`, statements of a function with the argument `a`."""
    return (f"{INCLUDE}{declared}\nstatic void *work(void *a) {{\n{work}\nreturn 0;\n}}\n"
            f"int main(int argc, char **argv) {{\npthread_t t, u;\n{before}\npthread_create(&t, 0, work, 0);\n"
            "pthread_create(&u, 0, work, 0);\npthread_join(t, 0);\npthread_join(u, 0);\nreturn 0;\n}\n")


def functions_on_one_global(n):
    return two_threads(lines(n, "f{i}();"), declared="int g;\n" + lines(n, "static void f{i}(void) {{ g++; }}"))


def straight_line(n):
    return two_threads(lines(n, "g{i} = g{i} + x;".replace("{i}", "")), declared="int g, x;\n")


def branches(n):
    return two_threads(lines(n, "if (x > {i}) g += {i};"), "x = argc;", "int g, x;\n")


def thread_roots(n):
    body = lines(n, "static void *w{i}(void *a) {{ g++; return 0; }}")
    start = lines(n, "pthread_create(&t[{i}], 0, w{i}, 0);") + lines(n, "pthread_join(t[{i}], 0);")
    return f"{INCLUDE}int g;\n{body}int main(void) {{\nstatic pthread_t t[{n}];\n{start}return 0;\n}}\n"


def locks_held(n):
    declared = lines(n, "pthread_mutex_t m{i} = PTHREAD_MUTEX_INITIALIZER;") + lines(n, "int g{i};")
    work = lines(n, "pthread_mutex_lock(&m{i}); g{i}++;") + lines(n, "pthread_mutex_unlock(&m{i});")
    return two_threads(work, declared=declared)


def mutual_recursion(n):
    declared = "int g;\n" + lines(n, "static void f{i}(int x);") + lines(
        n, "static void f{i}(int x) {{ if (x > {i}) f{next}(x - 1); g++; if (x & 1) f{next}(x - 2); }}")
    return two_threads("f0((int)(long)a);", declared=declared)


def switch(n):
    return two_threads("switch (x) {\n" + lines(n, "case {i}: g += {i}; break;") + "}", "x = argc;", "int g, x;\n")


def nested_loops(n):
    heads = "".join(f"for (int i{i} = 0; i{i} < x; i{i}++)\n" for i in range(n))
    return two_threads(f"{heads}g++;", "x = argc;", "int g, x;\n")


def call_chain(n):
    declared = "int g;\nstatic void f0(int x) { g += x; }\n" + "".join(
        f"static void f{i}(int x) {{ f{i - 1}(x + 1); }}\n" for i in range(1, n))
    return two_threads(f"f{n - 1}(0);", declared=declared)


def indirect_calls(n):
    declared = ("int g, x;\n" + lines(n, "static void f{i}(int *p) {{ *p += {i}; }}") + "static void (*const t[])(int *) = {"
                + ", ".join(f"f{i}" for i in range(n)) + "};\n")
    return two_threads(lines(n, "t[(x + {i}) % " + str(n) + "](&g);"), "x = argc;", declared)


def global_variables(n):
    return two_threads(lines(n, "g{i}++;"), declared=lines(n, "int g{i};"))


def fields(n):
    return two_threads(lines(n, "s.f{i}++;"), declared="struct S {\n" + lines(n, "int f{i};") + "} s;\n")


def no_alias(n):
    """n pointers, each to memory of its own; the two threads use different ones."""
    declared = lines(n, "int *p{i}, *q{i};")
    work = "if (a) {\n" + lines(n, "(*p{i})++;") + "} else {\n" + lines(n, "(*q{i})++;") + "}"
    return two_threads(work, lines(n, "p{i} = malloc(4); q{i} = malloc(4);"), declared)


def phis(n):
    """A chain of choices between pointers: one phi behind the other."""
    work = "int *p = &g0;\n" + lines(n, "if (x & (1 << {i} % 31)) p = &g{i}; (*p)++;")
    return two_threads(work, "x = argc;", "int x;\n" + lines(n, "int g{i};"))


def phi_cases(n):
    """A loop around a switch whose cases move pointers around: phis that refer to each other."""
    work = ("struct N *p = a, *q = p, *r = p;\nwhile (p) {\nswitch (p->k) {\n"
            + lines(n, "case {i}: r = q; q = p; p = p->next; p->v += {i}; break;")
            + "default: p = r; break;\n}\n}\n")
    return two_threads(work, declared="struct N { struct N *next; int k, v; };\n")


def pointer_soup(n):
    work = lines(n, "p[{i}] = p[({i} * 7 + 3) % " + str(n) + "]; *p[{i}] = {i};")
    return two_threads(work, lines(n, "p[{i}] = &g[{i}];"), f"int g[{n}], *p[{n}];\n")


def long_string(n):
    return two_threads("g += s[x];", declared=f'int g, x;\nconst char s[] = "{"a" * n}";\n')


def large_headers(n):
    """A program with <regex> and <ranges>; its size is that of the headers, whatever n is."""
    return """#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>
#include <ranges>
#include <regex>
#include <string>
#include <thread>
#include <vector>
std::map<std::string, int> counts; std::mutex m; int total;
static void work(std::vector<std::string> lines) {
  const std::regex word("([a-z]+)=([0-9]+)");
  for (const auto &line : lines | std::views::filter([](const auto &l) { return !l.empty(); })) {
    std::smatch found;
    if (!std::regex_match(line, found, word)) continue;
    { std::lock_guard hold(m); counts[found[1]] += std::stoi(found[2]); }
    total++;
  }
}
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < %d; i++) threads.emplace_back(work, std::vector<std::string>{"a=1", "b=2", ""});
  for (auto &t : threads) t.join();
  for (const auto &[k, v] : counts) std::cout << k << v;
}
""" % n


def template_instances(n):
    return ("#include <thread>\nint g;\ntemplate <int N> struct S { static int f(int x) { g += x; return "
            "S<N - 1>::f(x + N) + N; } };\ntemplate <> struct S<0> { static int f(int x) { return g += x; } };\n"
            + "".join(f"int c{i}(int x) {{ return S<{min(i + 500, n)}>::f(x); }}\n" for i in range(0, n, 500))
            + "static void work() {\n" + "".join(f"c{i}({i});\n" for i in range(0, n, 500))
            + "}\nint main() { std::thread t(work), u(work); t.join(); u.join(); }\n")


CASES = {  # name: (generator, sizes of scan, sizes of verify, suffix); a size twice as large as the one before
    "functions on one global": (functions_on_one_global, (12500, 5), (62, 8), ".c"),
    "one function, straight": (straight_line, (15625, 4), (1000, 6), ".c"),
    "one function, branches": (branches, (7812, 4), (500, 6), ".c"),
    "thread roots": (thread_roots, (1250, 4), (125, 6), ".c"),
    "locks held at once": (locks_held, (250, 5), (16, 7), ".c"),
    "mutual recursion": (mutual_recursion, (500, 5), (12, 7), ".c"),
    "switch": (switch, (12500, 4), (3125, 6), ".c"),
    "nested loops": (nested_loops, (25, 3), (12, 4), ".c"),
    "call chain": (call_chain, (625, 5), (312, 6), ".c"),
    "indirect calls × targets": (indirect_calls, (125, 5), (32, 6), ".c"),
    "globals": (global_variables, (2500, 4), (1250, 5), ".c"),
    "fields": (fields, (625, 4), (312, 6), ".c"),
    "pairs that do not alias": (no_alias, (1500, 5), (375, 6), ".c"),
    "phis": (phis, (250, 5), (31, 6), ".c"),
    "phis around a switch": (phi_cases, (60, 5), (8, 5), ".c"),
    "pointer soup": (pointer_soup, (2500, 4), (62, 5), ".c"),
    "long string": (long_string, (250000, 4), (250000, 4), ".c"),
    "<regex> and <ranges>": (large_headers, (2, 1), (2, 1), ".cpp"),
    "template instances": (template_instances, (1125, 4), (1125, 4), ".cpp"),
}


# ---- runs


@functools.cache
def whole_report(heddle, command):
    """The options of this build for one thread and the whole report in words."""
    known = subprocess.run([heddle, command, "--help"], capture_output=True, text=True, check=True).stdout
    wanted = {"--jobs": ["-j1"], "--details": ["--details"], "--limit": ["--limit", "0"]}
    return [word for option, words in wanted.items() if option in known for word in words]


class Run:
    """One run: seconds, megabytes and the answer; `seconds` is None if it did not end."""

    def __init__(self, heddle, command, source, options):
        words = [str(heddle), command, *whole_report(heddle, command), str(source)]
        if source.suffix == ".cpp":
            words += ["--", "-std=c++20", "-ftemplate-depth=10000"]
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                       preexec_fn=lambda: limit(options))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.kilobytes = os.fstat(out.fileno()).st_size / 1e3
            out.seek(0)
            text = out.read().decode(errors="replace")
        self.megabytes = usage.ru_maxrss / 1024
        ended = process.returncode in (0, 1, 3) and (command == "scan" or "verdict: " in text)
        self.seconds = usage.ru_utime + usage.ru_stime if ended else None
        self.answer = answer(process.returncode, text)


def limit(options):
    resource.setrlimit(resource.RLIMIT_AS, (int(options.memory * 2**30),) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(options.seconds), math.ceil(options.seconds) + 1))


def answer(code, text):
    verdicts = [line.split(": ")[1] for line in text.splitlines() if line.startswith("verdict: ")]
    said = verdicts[-1] if verdicts else f"exit code {code}"
    return said + ("*" if "budget" in text and "used up" in text else "")


# ---- tables


def power(smaller, larger, figure, least):
    """With which power of the size the figure grew from one run to one that is twice as large."""
    small, large = getattr(smaller, figure) - least, getattr(larger, figure) - least
    return math.log2(large / small) if small > 0 and large > 0 else 0


def powers(runs):
    ended = [run for run in runs if run.seconds is not None]
    if len(ended) < 2 or ended[-1].seconds < LONG_ENOUGH:
        return "–"
    least = ended[0] if len(ended) > 2 else None
    of = [power(ended[-2], ended[-1], figure, getattr(least, figure) * 0.9 if least else 0)
          for figure in ("seconds", "megabytes")]
    return f"{of[0]:.1f} / {of[1]:.1f}"


def figures(runs):
    def each(form):
        return " ".join("–" if run.seconds is None else form(run) for run in runs)

    ended = [run for run in runs if run.seconds is not None]
    last = ended[-1] if ended else runs[-1]
    return [each(lambda run: f"{run.seconds:.1f}" if run.seconds < 10 else f"{run.seconds:.0f}"),
            each(lambda run: f"{run.megabytes:.0f}"), powers(runs), f"{last.kilobytes:.0f}",
            last.answer if ended else f"none ({last.answer}, {last.megabytes:.0f} MB)"]


def measure(case, command, builds, options, folder):
    generator, *both, suffix = CASES[case]
    first, count = both[0 if command == "scan" else 1]
    sizes = [first << step for step in range(max(1, count - options.fewer))]
    taken = [[] for _ in builds]
    for size in sizes:
        source = folder / f"{case.split()[0].strip('<>,')}{size}{suffix}"
        source.write_text(generator(size))
        for runs, build in zip(taken, builds):
            if not runs or runs[-1].seconds is not None:
                runs.append(Run(build, command, source, options))
        source.unlink()
    return " ".join(str(size) for size in sizes), [figures(runs) for runs in taken]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--against", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--only", nargs="*", default=[""], metavar="TEXT")
    parser.add_argument("--command", choices=["scan", "verify"])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memory", type=float, default=10)
    parser.add_argument("--fewer", type=int, default=0)
    parser.add_argument("--show", nargs=2, metavar=("CASE", "SIZE"))
    options = parser.parse_args()
    if not options.heddle and not options.show:
        parser.error("--heddle or --show")
    return options


def main():
    options = arguments()
    if options.show:
        sys.stdout.write(CASES[options.show[0]][0](int(options.show[1])))
        return
    builds = [build for build in (options.against, options.heddle) if build]
    names = ["before", "after"] if options.against else [""]
    heads = [f"{what} {name}".strip() for name in names for what in ("s", "MB", "power t / MB", "kB out", "answer")]
    for command in [options.command] if options.command else ["scan", "verify"]:
        print(f"| {command} | sizes | " + " | ".join(heads) + " |\n| --- | --- |" + " --- |" * len(heads), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for case in CASES:
                if any(text in case for text in options.only):
                    sizes, rows = measure(case, command, builds, options, pathlib.Path(folder))
                    print(f"| {case} | {sizes} | " + " | ".join(cell for row in rows for cell in row) + " |", flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()
