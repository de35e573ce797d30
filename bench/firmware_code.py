#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes firmware-like C code with planted races, for `heddle depend`.

    firmware_code.py FOLDER [--lines N] [--entries N] [--depth N] [--shared N] [--outputs N] [--planted N] [--seed N]

FOLDER gets `unit_*.c`, `heddle.toml`, a `Makefile` that compiles them all, and `planted.txt`: a line each as
`heddle depend --format=triples` prints it. Half of the entries are tasks, half are interrupts, each with a priority of
its own. Every entry calls a tree of functions of the given depth; a function computes with variables of its own unit,
reads and writes shared ones, and calls functions of its unit one level down. A shared variable belongs to a task and an
interrupt that writes it; the task reads it once, or copies it under a mask. A planted one is read twice without.
Outputs are written and never read.
"""
import argparse
import pathlib
import random

HEAD = """extern int read_port(int);
extern void write_port(int, int);
extern void irq_off(int);
extern void irq_on(int);
"""


class Unit:
    """One file: functions of one entry."""

    def __init__(self, number):
        self.number = number
        self.lines = HEAD.splitlines()

    def add(self, text):
        """The number of the line it became."""
        self.lines.append(text)
        return len(self.lines)


class Writer:
    def __init__(self, options):
        self.o = options
        self.random = random.Random(options.seed)
        self.tasks = options.entries // 2
        self.interrupts = options.entries - self.tasks
        self.units = []
        self.planted = []
        self.where = {}  # planted variable -> lines of its two reads, and of its write

    def run(self):
        per_entry = self.o.lines // self.o.entries
        shared = self.share()
        for entry in range(self.o.entries):
            self.write_entry(entry, per_entry, shared[entry])
        planted = [f"{name}<R#{at['r1']}>,<W#{at['w']}>,<R#{at['r2']}>" for name, at in self.where.items()]
        return sorted(planted)

    def share(self):
        """By entry: what it does to which variable."""
        work = [[] for _ in range(self.o.entries)]
        for number in range(self.o.shared):
            task = self.random.randrange(self.tasks)
            interrupt = self.tasks + self.random.randrange(self.interrupts)
            name = f"shared_{number}"
            kind = "planted" if number < self.o.planted else self.random.choice(["once", "masked"])
            work[task].append((kind, name, interrupt - self.tasks))
            work[interrupt].append(("write", name, 0))
        for number in range(self.o.outputs):
            work[self.random.randrange(self.o.entries)].append(("output", f"output_{number}", 0))
        for one in work:
            self.random.shuffle(one)
        return work

    def write_entry(self, entry, lines, work):
        unit = Unit(entry)
        for kind, name, _ in work:
            unit.add(("int " if kind in ("write", "output") else "extern int ") + name + ";")
        bodies = max(self.o.depth, lines // 33)
        levels = [[] for _ in range(self.o.depth)]
        for number in range(bodies):
            levels[number % self.o.depth].append(number)
        each = -(-len(work) // bodies)
        for level in reversed(range(self.o.depth)):
            for place, number in enumerate(levels[level]):
                below = levels[level + 1] if level + 1 < self.o.depth else []
                callees = below[place:place + 1]
                self.write_function(unit, entry, number, callees, work[number * each:(number + 1) * each])
        unit.add(f"void entry_{entry}(void) {{")
        for number in levels[0]:
            unit.add(f"  f{entry}_{number}({number});")
        unit.add("}")
        self.units.append(unit)

    def write_function(self, unit, entry, number, callees, work):
        unit.add(f"static int local{entry}_{number};")
        unit.add(f"static int f{entry}_{number}(int input) {{")
        unit.add("  int sum = input, step = input & 7;")
        for kind, name, interrupt in work:
            self.write_work(unit, kind, name, interrupt)
        for i in range(24):
            unit.add(self.random.choice([
                f"  sum += step * {i + 3};",
                f"  if (sum > {i * 17}) step = sum % {i + 5};",
                f"  local{entry}_{number} = sum ^ step;",
                f"  sum = local{entry}_{number} + {i};",
                f"  for (int i = 0; i < {i + 2}; i++) sum += i * step;",
            ]))
        for callee in callees:
            unit.add(f"  sum += f{entry}_{callee}(sum);")
        unit.add("  return sum;")
        unit.add("}")

    def write_work(self, unit, kind, name, interrupt):
        at = self.where.setdefault(name, {}) if name in self.where or kind == "planted" or self.is_planted(name) else {}
        if kind == "planted":
            at["r1"] = unit.add(f"  if ({name} > 10)")
            at["r2"] = unit.add(f"    sum += {name};")
        elif kind == "once":
            unit.add(f"  step += {name};")
        elif kind == "masked":
            unit.add(f"  irq_off({interrupt});")
            unit.add(f"  sum += {name};")
            unit.add(f"  step += {name};")
            unit.add(f"  irq_on({interrupt});")
        elif kind == "write":
            at["w"] = unit.add(f"  {name} = read_port(step);")
        else:
            unit.add(f"  {name} = sum + step;")

    def is_planted(self, name):
        return name.startswith("shared_") and int(name[7:]) < self.o.planted

    def toml(self):
        out = ""
        for entry in range(self.o.entries):
            is_task = entry < self.tasks
            out += f'[[entry]]\nfunction = "entry_{entry}"\nkind = "{"task" if is_task else "interrupt"}"\n'
            out += f"priority = {entry + 1}\n" + ("" if is_task else f"number = {entry - self.tasks}\n")
        return out + '[[mask]]\ndisable = "irq_off"\nrestore = "irq_on"\nargument = 0\nall = 255\n'


def write(folder, writer, planted):
    for unit in writer.units:
        (folder / f"unit_{unit.number}.c").write_text("\n".join(unit.lines) + "\n")
    (folder / "heddle.toml").write_text(writer.toml())
    (folder / "planted.txt").write_text("".join(line + "\n" for line in planted))
    names = " ".join(f"unit_{unit.number}.o" for unit in writer.units)
    (folder / "Makefile").write_text(f"all: {names}\n%.o: %.c\n\t$(CC) -c -o $@ $<\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    for name, value in [("lines", 1_000_000), ("entries", 50), ("depth", 12), ("shared", 20_000), ("outputs", 500),
                        ("planted", 200), ("seed", 1)]:
        parser.add_argument("--" + name, type=int, default=value, metavar="N", help=f"default {value}")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    writer = Writer(options)
    planted = writer.run()
    write(options.folder, writer, planted)
    print(f"{sum(len(unit.lines) for unit in writer.units)} lines, {len(planted)} planted")


if __name__ == "__main__":
    main()
