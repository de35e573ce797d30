#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interpreter against the compiler: output and exit code of a program must be the same.

    interpret_agreement.py HEDDLE                tests/agreement/ and --count random single-threaded programs
    interpret_agreement.py HEDDLE --programs     every program of tests/programs/ that can be built and ends
    interpret_agreement.py HEDDLE --target i386  the same for another machine: x86_64, i386, aarch64

Random programs come from --seed: integer expressions of all widths, structs, bit-fields, arrays, pointers, switches,
floats, recursion; each fifth passes structs and numbers behind `...` (variadic_programs.py). Each program is built with
clang at -O0 and run, and run by `heddle run`; a line `// INPUT: text` is its standard input. With --target it is built
for that machine, run by qemu-user where this machine cannot run it, and interpreted as `heddle run FILE -- --target=…`;
i386 takes the programs in C without __int128. --every N takes each Nth program only. Of tests/programs a program counts
when what it prints does not depend on the schedule: three native runs and three schedules of the interpreter agree
among themselves; the others are listed with the reason. Ends with `N passed, M failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import platform
import random
import shutil
import subprocess
import sys
import tempfile

import limits
import run_programs
from library_programs import LibraryGenerator
from variadic_programs import VariadicGenerator

HERE = pathlib.Path(__file__).resolve().parent
INTS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
        "long long",
        "unsigned long long"]


class Target:
    """A machine that programs are compiled for: what clang and heddle are told, and what runs the result."""

    # How it is called in triples, the folder of its cross packages, flags that make double arithmetic that of IEEE 754.
    KNOWN = {"x86_64": ("x86_64-linux-gnu", "/usr/x86_64-linux-gnu", []),
             "i386": ("i386-linux-gnu", "/usr/i686-linux-gnu", ["-msse2"]),  # x87 registers hold more than a double
             "aarch64": ("aarch64-linux-gnu", "/usr/aarch64-linux-gnu", [])}

    def __init__(self, name):
        self.name = name
        self.flags, self.link, self.runner = [], [], []
        self.heddle_flags = self.flags  # heddle may be a program of another machine, run by qemu
        host = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
        self.is_host = name is None or name == host
        if self.is_host:
            return
        triple, root, more = self.KNOWN[name]
        if name == "i386" and host == "x86_64":  # the libraries of libc6-dev-i386, and mostly the processor itself
            # asm/errno.h: only gcc-multilib, which conflicts with cross compilers, has a link to it
            self.flags, self.link = ["-m32", *more, "-idirafter", "/usr/include/x86_64-linux-gnu"], []
            self.heddle_flags = [f"--target={triple}", *self.flags[1:]]
            return
        self.flags, self.link = [f"--target={triple}", *more], ["-fuse-ld=lld"]
        self.heddle_flags = self.flags
        self.runner = [f"qemu-{name}-static", "-L", root]

    def prepare(self, clang, folder):
        """None, or why programs cannot be built or run."""
        probe = folder / "probe.c"
        probe.write_text('#include <stdio.h>\nint main(void) { return puts("yes") < 0; }\n')
        if self.runner and shutil.which(self.runner[0]) is None:
            return f"{self.runner[0]} is not here: apt-get install qemu-user-static"
        why = build(clang, probe, folder / "probe", [], self)
        if why is not None:
            return f"no program can be built: {why}; the packages are in scripts/packages.txt"
        if self.name == "i386" and not self.runner and run_quietly([str(folder / "probe")]) != b"yes\n":
            self.runner = ["qemu-i386-static"]  # a kernel without 32 bit programs
        if run_quietly([*self.runner, str(folder / "probe")]) != b"yes\n":
            return "a program that was built does not run"
        return None

    def can_hold(self, source):
        """Whether the program is one for this machine at all."""
        return self.name != "i386" or (source.suffix == ".c" and "__int128" not in source.read_text())

    def command(self, binary):
        return [*self.runner, str(binary)]


def run_quietly(command):
    try:
        return subprocess.run(command, capture_output=True, timeout=limits.seconds(60)).stdout
    except OSError:
        return b""


class Generator:
    """One random program without undefined behaviour: signed arithmetic goes through unsigned casts, shifts are masked,
    divisors are made odd and not -1."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []

    def constant(self):
        r = self.random
        return r.choice([str(r.randrange(-5, 100)), hex(r.getrandbits(r.choice([8, 16, 31, 32, 63, 64]))) + "ULL", "0",
                         "1", "-1LL"])

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
            f"{target} = {e};", f"{target} = f{r.randrange(3)}({e}, {r.choice(body)});",
            f"s.a = (int)({e}); s.b = (unsigned)({e});",
            f"s.c = {e};", f"u.part[({e}) & 7] = (unsigned char)({r.choice(body)});",
            f"array[({e}) & 15] += (int)(({r.choice(body)}) & 0xfff);",
            f"switch (({e}) & 7) {{ case 0: {target}++; break; case 3: {target} = 7; case 5: {target} ^= 3; break; default: sum++; }}",
            "d = d * 1.25 - (double)(int)(v1 & 0xff); if (d > 1e6 || d < -1e6) d = 0.5;",
            "g = (float)(g * 3 + (int)(v2 & 15)); if (g > 1e4f) g = 1;",
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


def outcome(command, text=b"", seconds=limits.seconds(60)):
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


def build(clang, source, binary, flags, target):
    """None, or why it cannot be built."""
    compiler = clang.replace("clang", "clang++") if source.suffix == ".cpp" else clang
    command = [compiler, "-w", "-O0", *target.flags, *target.link, *flags, str(source), "-o", str(binary), "-lm",
               "-pthread"]
    built = subprocess.run(command, capture_output=True)
    return None if built.returncode == 0 else built.stderr.decode().strip().splitlines()[-1]


def differ(wanted, got):
    """None, or how the two outcomes differ."""
    if wanted[:2] == got[:2]:
        return None
    return f"compiled {wanted[0]} {wanted[1][-200:]!r}, interpreted {got[0]} {got[1][-200:]!r} {got[2][-300:]!r}"


def compare(chosen, source, folder, flags):
    binary = folder / (source.name + ".run")
    why = build(chosen.clang, source, binary, flags, chosen.target)
    if why is not None:
        return f"does not compile: {why}"
    text = input_of(source)
    wanted = outcome(chosen.target.command(binary), text)
    got = outcome([chosen.heddle, "run", str(source), "--", "-w", *chosen.target.heddle_flags, *flags], text)
    binary.unlink()
    return differ(wanted, got)


def compare_program(chosen, source, folder):
    """(None, "agrees" or the reason why it does not count) or (how they differ, "")."""
    program = run_programs.read_program(source)
    if "NOT-RUNNABLE" in program.tags:
        return None, "not runnable: " + program.tags["NOT-RUNNABLE"]
    binary = folder / program.title.replace("/", "_")
    if build(chosen.clang, source, binary, program.flags, chosen.target) is not None:
        return None, "does not build"
    native = {outcome(chosen.target.command(binary), seconds=5)[:2] for _ in range(3)}
    binary.unlink()
    if any(code == "timeout" for code, _ in native):
        return None, "does not end in 5 s"
    if len(native) > 1:
        return None, "native runs differ"
    wanted = native.pop()
    runs = {}
    for schedule in (["round-robin"], ["random", "--seed", "1"], ["random", "--seed", "2"]):
        command = [chosen.heddle, "run", "--scheduler", *schedule, str(source), "--", "-w", *chosen.target.heddle_flags,
                   *program.flags]
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
    sources = [path for path in sources if chosen.target.can_hold(path)][::chosen.every]
    jobs = [(str(s.relative_to(run_programs.PROGRAMS)), lambda s=s: compare_program(chosen, s, folder))
            for s in sources]
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
        generator = {4: VariadicGenerator, 3: LibraryGenerator}.get(i % 5, Generator)
        source.write_text(generator(chosen.seed + i).program())
        sources.append(source)
    fitting = [s for s in sources if chosen.target.can_hold(s)][::chosen.every]
    standard = {".cpp": ["-std=c++17"]}
    jobs = [(s.name, lambda s=s: compare(chosen, s, folder, standard.get(s.suffix, []))) for s in fitting]
    print(f"{len(written)} written by hand, {chosen.count} generated; {len(fitting)} of them compared")
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
    options.add_argument("--target", choices=Target.KNOWN, help="the machine to compile for; default: this one")
    options.add_argument("--every", type=int, default=1, help="take each Nth program only")
    chosen = options.parse_args()
    chosen.target = Target(chosen.target)
    with tempfile.TemporaryDirectory() as name:
        why = chosen.target.prepare(chosen.clang, pathlib.Path(name))
        if why is not None:
            print(why)
            passed, failed = 0, 1
        else:
            passed, failed = (main_programs if chosen.programs else main_single)(chosen, pathlib.Path(name))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
