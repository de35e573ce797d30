#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How `heddle scan` grows with the size of a program: a Markdown table, smallest first, and a plot of it.

usage: scan_growth.py HEDDLE PROJECT… [--plot FILE.svg]     measures, prints the table, draws it
       scan_growth.py --table FILE.md [--plot FILE.svg]     draws a table printed before; lines around it are left out

PROJECT is FOLDER[,program=NAME][,profile=NAME][,label=TEXT]: a folder that holds a captured project (.heddle), and how
to scan it. One thread, no store, processor time; the program is linked before the measured run. The stages are in
microseconds an instruction; `reading` is what none of them has: the linked Program read, the report written. The last
line says with which power of the size time and memory grow (least squares of the logarithms; n·log n is about 1.08
here). The plot has both on logarithmic axes, with n·log n and n through the largest program.
"""
import argparse
import math
import pathlib
import sys

from scan_projects import number, run

STAGES = ["reading", "aliases", "call graph", "summaries", "threads", "pairs", "report"]
COLUMNS = ["project", "functions", "reached", "instructions", "scan s", "µs an instruction", *STAGES, "peak MB",
           "bytes an instruction"]
LARGE = 100_000  # below that, what heddle itself takes shows


def measure(heddle, project):
    folder, *settings = project.split(",")
    given = dict(setting.split("=", 1) for setting in settings)
    folder = pathlib.Path(folder).resolve()
    scan = [heddle, "scan", "--no-store", "--stats", "-j1", "--limit", "1"]
    for name in ("program", "profile"):
        scan += ["--" + name, given[name]] if name in given else []
    run(scan, folder)  # links, and keeps the linked Program
    text, spent, _, peak = run(scan, folder)
    instructions = int(number(r"instructions: (\d+)", text))
    stages = {name: number(rf"(?m)^  {name}: ([\d.]+) s", text) for name in STAGES}
    stages["reading"] = spent - sum(stages.values())
    each = {name: f"{1e6 * cost / instructions:.2f}" for name, cost in stages.items()}
    return {
        "project": given.get("label", folder.name),
        "functions": int(number(r"functions: (\d+)", text)),
        "reached": int(number(r"main: (\d+)", text)),
        "instructions": instructions,
        "scan s": f"{spent:.2f}",
        "µs an instruction": f"{1e6 * spent / instructions:.2f}",
        **each,
        "peak MB": f"{peak / 1e6:.0f}",
        "bytes an instruction": int(peak / instructions),
    }


def read_table(text):
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines()
             if line.startswith("|")]
    begins = [i for i, cells in enumerate(lines) if cells == COLUMNS]
    if not begins:
        sys.exit("no table of this script: its first line is | " + " | ".join(COLUMNS) + " |")
    rows = (dict(zip(COLUMNS, cells)) for cells in lines[begins[0] + 2 :] if len(cells) == len(COLUMNS))
    return [{**row, "instructions": int(row["instructions"])} for row in rows]


def power(rows, column):
    """The slope of log(column) over log(instructions), or None."""
    points = [(math.log(r["instructions"]), math.log(float(r[column]))) for r in rows if r["instructions"] >= LARGE]
    if len(points) < 3:
        return None
    x, y = (sum(values) / len(points) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def print_table(rows):
    print("| " + " | ".join(COLUMNS) + " |\n| --- |" + " ---: |" * (len(COLUMNS) - 1))
    for row in rows:
        print("| " + " | ".join(str(row[column]) for column in COLUMNS) + " |")
    powers = power(rows, "scan s"), power(rows, "peak MB")
    if None not in powers:
        print(f"\nFrom {LARGE} instructions on, time grows with the power {powers[0]:.2f} of the size, memory with {powers[1]:.2f}.")


class Panel:
    """One log-log diagram of the plot: points with numbers, and two lines through the last point."""

    WIDTH, HEIGHT, LEFT, TOP = 400, 380, 60, 40

    def __init__(self, offset, rows, column, title):
        self.offset, self.rows, self.column, self.title = offset, rows, column, title
        sizes, values = [r["instructions"] for r in rows], [float(r[column]) for r in rows]
        self.x, self.y = self.decades(sizes), self.decades(values)

    @staticmethod
    def decades(values):
        return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values) * 1.01))

    def at(self, size, value):
        across = (math.log10(size) - self.x[0]) / (self.x[1] - self.x[0])
        up = (math.log10(value) - self.y[0]) / (self.y[1] - self.y[0])
        return self.offset + self.LEFT + across * self.WIDTH, self.TOP + (1 - up) * self.HEIGHT

    def grid(self):
        for exponent in range(self.x[0], self.x[1] + 1):
            x, y = self.at(10**exponent, 10.0 ** self.y[0])
            yield f'<line x1="{x:.1f}" y1="{self.TOP}" x2="{x:.1f}" y2="{y:.1f}" class="grid"/>'
            yield f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{10**exponent:,}</text>'.replace(",", " ")
        for exponent in range(self.y[0], self.y[1] + 1):
            x, y = self.at(10 ** self.x[0], 10.0**exponent)
            yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x + self.WIDTH:.1f}" y2="{y:.1f}" class="grid"/>'
            yield f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{10.0**exponent:g}</text>'

    def line(self, name, style, growth):
        last = self.rows[-1]
        sizes = [10 ** (self.x[0] + step / 40 * (self.x[1] - self.x[0])) for step in range(41)]
        values = [float(last[self.column]) * growth(size) / growth(last["instructions"]) for size in sizes]
        inside = [self.at(s, v) for s, v in zip(sizes, values) if 10.0 ** self.y[0] <= v <= 10.0 ** self.y[1]]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in inside)
        return f'<polyline points="{points}" class="{style}"><title>{name}</title></polyline>'

    def draw(self):
        middle = self.offset + self.LEFT + self.WIDTH / 2
        yield f'<text x="{middle}" y="{self.TOP - 14}" text-anchor="middle" class="title">{self.title}</text>'
        yield f'<text x="{middle}" y="{self.TOP + self.HEIGHT + 36}" text-anchor="middle">instructions</text>'
        yield from self.grid()
        yield self.line("n · log n", "nlogn", lambda n: n * math.log(n))
        yield self.line("n", "n", lambda n: n)
        for number, row in enumerate(self.rows, 1):
            x, y = self.at(row["instructions"], float(row[self.column]))
            across, up = (-6, 5) if number % 2 else (5, -11)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
            yield f'<text x="{x + across:.1f}" y="{y - up:.1f}" text-anchor="{"end" if number % 2 else "start"}" class="name">{number}</text>'


STYLE = """text { font: 11px sans-serif; fill: #222 } .title { font-weight: bold; font-size: 13px } .name { font-size: 9px } .nlogn-name { fill: #c0392b }
.grid { stroke: #ddd } circle { fill: #1f6fb2 } polyline { fill: none; stroke-width: 1.5 } .nlogn { stroke: #c0392b } .n { stroke: #888; stroke-dasharray: 4 4 }"""


def legend(rows, top):
    yield f'<text x="60" y="{top}" class="nlogn-name">solid: n · log n</text><text x="160" y="{top}">dashed: n</text>'
    for index, row in enumerate(rows):
        yield f'<text x="{60 + index % 5 * 180}" y="{top + 18 + index // 5 * 16}">{index + 1} {row["project"]}</text>'


def plot(rows, file):
    panels = [Panel(0, rows, "scan s", "processor seconds"), Panel(500, rows, "peak MB", "peak memory, MB")]
    top = 478
    height = top + 34 + (len(rows) - 1) // 5 * 16
    body = [part for panel in panels for part in panel.draw()]
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="{height}" viewBox="0 0 1000 {height}">',
             f"<style>{STYLE}</style>",
             f'<rect width="1000" height="{height}" fill="white"/>', *body, *legend(rows, top), "</svg>"]
    file.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", nargs="?", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("projects", nargs="*")
    parser.add_argument("--plot", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    if bool(options.table) == bool(options.projects):
        parser.error("either HEDDLE PROJECT… or --table FILE.md")
    if options.table:
        rows = read_table(options.table.read_text())
    else:
        rows = sorted((measure(options.heddle, project) for project in options.projects),
                      key=lambda row: row["instructions"])
        print_table(rows)
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
