#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interpreter against the compiler: output and exit code of a program must be the same.

    interpret_agreement.py HEDDLE             tests/agreement/ and --count random single-threaded programs, 64 and 32 bit
    interpret_agreement.py HEDDLE --programs  every program of tests/programs/ that can be built and ends

Random programs come from --seed: integer expressions of all widths, structs, bit-fields, arrays, pointers, switches, floats,
recursion. Each program is built with clang at -O0 and run, and run by `heddle run`; a line `// INPUT: text` is its standard input.
Programs with 32 bit pointers are compared where clang can link them; else that is said. Of tests/programs a program counts when
what it prints does not depend on the schedule: three native runs and three schedules of the interpreter agree among themselves;
the others are listed with the reason. Ends with `N passed, M failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import run_programs

HERE = pathlib.Path(__file__).resolve().parent
INTS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
        "unsigned long long"]


class Generator:
    """One random program without undefined behaviour: signed arithmetic goes through unsigned casts, shifts are masked, divisors
    are made odd and not -1."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []

    def constant(self):
        r = self.random
        return r.choice([str(r.randrange(-5, 100)), hex(r.getrandbits(r.choice([8, 16, 31, 32, 63, 64]))) + "ULL", "0", "1", "-1LL"])

    def expression(self, names, depth):
        r = self.random
        if depth == 0 or r.random() < 0.15:
            return r.choice(names) if r.random() < 0.7 else self.constant()
        a, b = self.expression(names, depth - 1), self.expression(names, depth - 1)
        kind = r.randrange(9)
        if kind < 3:
            return f"((unsigned long long)({a}) {r.choice('+-*&|^')} (unsigned long long)({b}))"
        if kind == 3:
            return f"({a} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
        if kind == 4:
            width = r.choice([("unsigned", 31), ("unsigned long long", 63)])
            return f"(({width[0]})({a}) {r.choice(['<<', '>>'])} (({b}) & {width[1]}))"
        if kind == 5:
            t = r.choice(["unsigned", "unsigned long long", "unsigned short"])
            return f"(({t})({a}) {r.choice('/%')} (({t})({b}) | 1))"
        if kind == 6:
            return f"((long long)({a}) {r.choice('/%')} (((long long)({b}) & 0xffff) | 3))"
        if kind == 7:
            return f"({self.expression(names, depth - 1)} ? {a} : {b})"
        return f"(({r.choice(INTS)})({a}))"

    def add(self, text):
        self.lines.append(text)

    def functions(self):
        r = self.random
        for i in range(3):
            kind = r.choice(INTS)
            self.add(f"static {kind} f{i}({kind} a, {r.choice(INTS)} b) {{")
            self.add(f"  if ({self.expression(['a', 'b'], 2)}) return ({kind})({self.expression(['a', 'b'], 3)});")
            self.add(f"  return ({kind})({self.expression(['a', 'b'], 3)});\n}}")

    def main(self):
        r = self.random
        names = []
        self.add("int main(void) {")
        for i in range(8):
            self.add(f"  {r.choice(INTS)} v{i} = ({r.choice(INTS)})({self.constant()});")
            names.append(f"v{i}")
        self.add("  struct S s = {0}; union U u; u.wide = 0; int array[16] = {0}; double d = 1.5; float g = 0.25f; unsigned long long sum = 0;")
        self.add(f"  for (int i = 0; i < {r.randrange(5, 40)}; i++) {{")
        body = names + ["i", "s.a", "s.b", "s.c", "u.half", "array[i & 15]", "sum"]
        for _ in range(12):
            self.add("    " + self.statement(names, body))
        self.add("    sum = sum * 31 + (unsigned long long)v0 + array[i & 15];\n  }")
        for name in names:
            self.add(f'  printf("{name} %lld\\n", (long long){name});')
        self.add('  printf("%d %u %lld %llx %llu %g %g\\n", s.a, s.b, (long long)s.c, u.wide, sum, d, (double)g);')
        self.add('  for (int i = 0; i < 16; i++) printf("%d ", array[i]);\n  printf("\\n");\n  return (int)(sum & 127);\n}')

    def statement(self, names, body):
        r = self.random
        target = r.choice(names)
        e = self.expression(body, 3)
        return r.choice([
            f"{target} = {e};", f"{target} = f{r.randrange(3)}({e}, {r.choice(body)});", f"s.a = (int)({e}); s.b = (unsigned)({e});",
            f"s.c = {e};", f"u.part[({e}) & 7] = (unsigned char)({r.choice(body)});", f"array[({e}) & 15] += (int)(({r.choice(body)}) & 0xfff);",
            f"switch (({e}) & 7) {{ case 0: {target}++; break; case 3: {target} = 7; case 5: {target} ^= 3; break; default: sum++; }}",
            "d = d * 1.25 - (double)(int)(v1 & 0xff); if (d > 1e6 || d < -1e6) d = 0.5;", "g = (float)(g * 3 + (int)(v2 & 15)); if (g > 1e4f) g = 1;",
            f"if ({e}) {{ int *p = &array[({r.choice(body)}) & 15]; *p ^= (int)(i & 0xff); }} else sum += 3;",
            f"{target} = (int)d + (int)g;", f"{{ int k = 0; while (k < (int)(({e}) & 7)) {{ k++; if (k == 5) continue; sum += k; }} }}"])

    def program(self):
        r = self.random
        widths = [r.randrange(1, 17) for _ in range(2)]
        self.add("#include <stdio.h>")
        self.add(f"struct S {{ int a : {widths[0]}; unsigned b : {widths[1]}; {r.choice(INTS)} c; }};")
        self.add("union U { unsigned long long wide; unsigned half; unsigned char part[8]; };")
        self.functions()
        self.main()
        return "\n".join(self.lines) + "\n"


def outcome(command, text=b"", seconds=60):
    """(exit code, standard output, standard error); ("timeout",) if it does not end."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return ("timeout", b"", b"")
    code = 128 - done.returncode if done.returncode < 0 else done.returncode
    return (code, done.stdout, done.stderr)


def input_of(source):
    for line in source.read_text().splitlines()[:4]:
        if line.startswith("// INPUT: "):
            return line[10:].encode().decode("unicode_escape").encode()
    return b""


def build(clang, source, binary, flags):
    """None, or why it cannot be built."""
    compiler = clang.replace("clang", "clang++") if source.suffix == ".cpp" else clang
    command = [compiler, "-w", "-O0", *flags, str(source), "-o", str(binary), "-lm", "-pthread"]
    built = subprocess.run(command, capture_output=True)
    return None if built.returncode == 0 else built.stderr.decode().strip().splitlines()[-1]


def differ(wanted, got):
    """None, or how the two outcomes differ."""
    if wanted[:2] == got[:2]:
        return None
    return f"compiled {wanted[0]} {wanted[1][-200:]!r}, interpreted {got[0]} {got[1][-200:]!r} {got[2][-300:]!r}"


def compare(chosen, source, folder, flags):
    binary = folder / ("".join([source.name, ".run", *flags]))
    why = build(chosen.clang, source, binary, flags)
    if why is not None:
        return f"does not compile: {why}"
    text = input_of(source)
    model = ["--data-model", "ILP32"] if "-m32" in flags else []
    rest = [flag for flag in flags if flag != "-m32"]
    wanted, got = outcome([str(binary)], text), outcome([chosen.heddle, "run", *model, str(source), "--", "-w", *rest], text)
    binary.unlink()
    return differ(wanted, got)


def compare_program(chosen, source, folder):
    """(None, "agrees" or the reason why it does not count) or (how they differ, "")."""
    program = run_programs.read_program(source)
    if "NOT-RUNNABLE" in program.tags:
        return None, "not runnable: " + program.tags["NOT-RUNNABLE"]
    binary = folder / program.title.replace("/", "_")
    if build(chosen.clang, source, binary, program.flags) is not None:
        return None, "does not build"
    native = {outcome([str(binary)], seconds=5)[:2] for _ in range(3)}
    binary.unlink()
    if any(code == "timeout" for code, _ in native):
        return None, "does not end in 5 s"
    if len(native) > 1:
        return None, "native runs differ"
    wanted = native.pop()
    runs = {}
    for schedule in (["round-robin"], ["random", "--seed", "1"], ["random", "--seed", "2"]):
        command = [chosen.heddle, "run", "--scheduler", *schedule, str(source), "--", "-w", *program.flags]
        got = outcome(command)
        runs.setdefault(got[:2], got)
    if len(runs) > 1 and program.is_racy():
        return None, "depends on the schedule"
    got = next((run for run in runs.values() if run[:2] != wanted), next(iter(runs.values())))
    if got[2].startswith(b"heddle: unsupported"):
        return None, got[2].decode().splitlines()[0][8:]
    if program.is_racy() and wanted != got[:2]:
        return None, "racy, another outcome"
    return differ(wanted, got), "agrees"


def run_tests(jobs):
    """Runs (name, function) pairs side by side, gives (name, result) in order."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [(name, pool.submit(job)) for name, job in jobs]
        return [(name, future.result()) for name, future in futures]


def main_programs(chosen, folder):
    sources = sorted(path for path in run_programs.PROGRAMS.rglob("*") if path.suffix in (".c", ".cpp"))
    jobs = [(str(s.relative_to(run_programs.PROGRAMS)), lambda s=s: compare_program(chosen, s, folder)) for s in sources]
    passed = failed = 0
    reasons = {}
    for name, (problem, reason) in run_tests(jobs):
        if problem is not None:
            failed += 1
            print(f"{name}: {problem}")
        elif reason == "agrees":
            passed += 1
        else:
            reasons.setdefault(reason, []).append(name)
    for reason, names in sorted(reasons.items()):
        print(f"not compared, {reason}: {len(names)}: {' '.join(names)}")
    return passed, failed


def main_single(chosen, folder):
    written = sorted((HERE / "agreement").glob("*.c")) + sorted((HERE / "agreement").glob("*.cpp"))
    sources = list(written)
    for i in range(chosen.count):
        source = folder / f"random_{chosen.seed + i}.c"
        source.write_text(Generator(chosen.seed + i).program())
        sources.append(source)
    jobs = [(s.name, lambda s=s: compare(chosen, s, folder, ["-std=c++17"] if s.suffix == ".cpp" else [])) for s in sources]
    probe = folder / "probe.c"
    probe.write_text("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
    if build(chosen.clang, probe, folder / "probe", ["-m32"]) is None:
        narrow = [s for s in sources if s.suffix == ".c" and "__int128" not in s.read_text()][::3]
        jobs += [(f"{s.name} (32 bit)", lambda s=s: compare(chosen, s, folder, ["-m32"])) for s in narrow]
        print(f"32 bit: {len(narrow)} of these programs once more")
    else:
        print("32 bit: skipped, clang cannot link 32 bit programs here")
    print(f"{len(written)} written by hand, {chosen.count} generated")
    passed = failed = 0
    for name, problem in run_tests(jobs):
        passed, failed = passed + (problem is None), failed + (problem is not None)
        if problem is not None:
            print(f"{name}: {problem}")
    return passed, failed


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("heddle")
    options.add_argument("--clang", default="clang-19")
    options.add_argument("--count", type=int, default=150)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--programs", action="store_true", help="compare the programs of tests/programs")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        passed, failed = (main_programs if chosen.programs else main_single)(chosen, pathlib.Path(name))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
