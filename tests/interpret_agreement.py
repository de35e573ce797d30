#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interpreter against the compiler: output and exit code of single-threaded C programs must be the same.

Programs are tests/agreement/*.c and --count random ones (generated from --seed: integer expressions of all widths, structs,
bit-fields, arrays, pointers, switches, floats, recursion). Each is built with clang at -O0 and run, and run by `heddle run`.
Ends with `N passed, M failed`.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

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


def outcome(command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return ("timeout", b"")
    code = 128 - done.returncode if done.returncode < 0 else done.returncode
    return (code, done.stdout, done.stderr)


def agrees(heddle, clang, source, folder, flags):
    binary = folder / "program"
    built = subprocess.run([clang, "-w", "-O0", *flags, str(source), "-o", str(binary), "-lm"], capture_output=True)
    if built.returncode != 0:
        return f"does not compile: {built.stderr.decode()[:300]}"
    wanted, got = outcome([str(binary)]), outcome([heddle, "run", str(source), "--", "-w", *flags])
    if wanted[:2] == got[:2]:
        return None
    return f"compiled {wanted[0]} {wanted[1][-200:]!r}, interpreted {got[0]} {got[1][-200:]!r} {got[2][-200:]!r}"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("heddle")
    options.add_argument("--clang", default="clang-19")
    options.add_argument("--count", type=int, default=150)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = sorted((HERE / "agreement").glob("*.c"))
        for i in range(chosen.count):
            source = folder / f"random_{chosen.seed + i}.c"
            source.write_text(Generator(chosen.seed + i).program())
            sources.append(source)
        for source in sources:
            problem = agrees(chosen.heddle, chosen.clang, source, folder, [])
            passed, failed = passed + (problem is None), failed + (problem is not None)
            if problem is not None:
                print(f"{source.name}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
