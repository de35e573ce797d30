# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs that pass structs, integers and floating point numbers behind `...`, for interpret_agreement.py.

Structs are homogeneous, mixed, packed or aligned, so that every rule of a calling convention is met: registers that run
out, pairs of registers, private copies, addresses of copies, memory at multiples of 16. Each function also hands a copy
of its list to vprintf, for the scalars before the first struct.
"""
import random

SCALARS = {"int": "%d", "long": "%ld", "long long": "%lld", "double": "%g", "long double": "%Lg", "unsigned": "%u",
           "void *": "%p"}
FIELDS = {"char": "%d", "short": "%d", "int": "%d", "long": "%ld", "float": "%g", "double": "%g", "long double": "%Lg",
          "long long": "%lld"}


class VariadicGenerator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["#include <stdarg.h>", "#include <stdio.h>"]
        self.structs = {}

    def declare_struct(self, name):
        r = self.random
        if r.random() < 0.35:
            fields = [r.choice(["float", "double", "long double", "int", "char"])] * r.randrange(1, 6)
        else:
            fields = [r.choice(list(FIELDS)) for _ in range(r.randrange(1, 5))]
        form = r.choice([""] * 6 + [" __attribute__((aligned(16)))", " __attribute__((packed))"])
        if set(fields) == {"long double"} and "packed" in form:
            form = ""  # clang 19 for aarch64 stores it at a multiple of 16 and reads it at one of 8
        self.structs[name] = fields
        self.lines.append(f"{name} {{ " + " ".join(f"{t} f{k};" for k, t in enumerate(fields)) + f" }}{form};")

    def value(self, kind):
        if kind in self.structs:
            return f"({kind}){{" + ", ".join(self.value(t) for t in self.structs[kind]) + "}"
        n = self.random.randrange(1, 100)
        forms = {"float": "{}.5f", "double": "{}.5", "long double": "{}.25L", "long": "{}L", "long long": "{}LL",
                 "unsigned": "{}u", "void *": "(void *){}L"}
        return forms.get(kind, "{}").format(n)

    def take(self, kind):
        if kind not in self.structs:
            return f'  printf("{SCALARS[kind]}|", va_arg(l, {kind}));'
        fields = self.structs[kind]
        shown = ", ".join(f"v.f{k}" for k in range(len(fields)))
        return f'  {{ {kind} v = va_arg(l, {kind}); printf("{{{" ".join(FIELDS[t] for t in fields)}}}|", {shown}); }}'

    def function(self, name):
        """Its definition goes into the lines; gives a call of it."""
        r = self.random
        kinds = list(SCALARS) + list(self.structs)
        named = [r.choice(kinds) for _ in range(r.randrange(0, 9))]
        variadic = [r.choice(kinds) for _ in range(r.randrange(1, 16))]
        result = r.choice(["int", "struct s0"])
        parameters = "".join(f"{t} p{i}, " for i, t in enumerate(named))
        self.lines.append(f"static {result} {name}({parameters}int n, ...) {{")
        self.lines.append("  va_list l, c; va_start(l, n); va_copy(c, l);")
        self.lines += [self.take(kind) for kind in variadic]
        first = next((i for i, kind in enumerate(variadic) if kind in self.structs), len(variadic))
        self.lines.append('  vprintf("' + " ".join(SCALARS[kind] for kind in variadic[:first]) + '", c);')
        for i, kind in enumerate(named):
            fields = self.structs.get(kind)
            self.lines.append(f'  printf(" {FIELDS[fields[-1]]}", p{i}.f{len(fields) - 1});' if fields
                              else f'  printf(" {SCALARS[kind]}", p{i});')
        self.lines.append(f'  puts(""); va_end(l); va_end(c); {result} out = {{0}}; return out;\n}}')
        return f"  {name}(" + ", ".join(self.value(kind) for kind in [*named, "int", *variadic]) + ");"

    def program(self):
        for i in range(10):
            self.declare_struct(f"struct s{i}")
        calls = [self.function(f"f{i}") for i in range(8)]
        self.lines += ["int main(void) {", *calls, "  return 0;\n}"]
        return "\n".join(self.lines) + "\n"
