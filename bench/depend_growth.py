#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How `heddle depend` grows with the size of firmware: a Markdown table, smallest first, and a plot of it.

    depend_growth.py HEDDLE FOLDER [--lines N,N,…] [--plot FILE.svg]

FOLDER gets the programs of firmware_code.py, captured; those that are there already are used again. Shared and planted
variables and outputs grow with the size, up to 20 000, 200 and 500 at a million lines. Processor time behind the
capture: of one root, of all roots, and of all triples; the peak of the three. `found` are planted triples that are
listed, `others` what is listed besides.
"""
import argparse
import math
import pathlib
import subprocess
import sys

from scan_projects import run

COLUMNS = ["lines", "planted", "found", "others", "one root s", "all roots s", "triples s", "peak MB"]
COLOURS = {"one root s": "#1f6fb2", "all roots s": "#c0392b", "triples s": "#2c8c3c"}


def make(heddle, folder, lines):
    if (folder / ".heddle").exists():
        return
    share = lines / 1_000_000
    sizes = {"lines": lines, "shared": max(100, int(20_000 * share)), "outputs": max(20, int(500 * share)),
             "planted": max(10, int(200 * share))}
    script = pathlib.Path(__file__).resolve().parent / "firmware_code.py"
    words = [word for name, size in sizes.items() for word in ("--" + name, str(size))]
    subprocess.run([sys.executable, str(script), str(folder), *words], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([heddle, "capture", "--", "make", "-j2"], cwd=folder, check=True, capture_output=True)


def measure(heddle, folder):
    depend = [heddle, "depend"]
    run([*depend, "--entries"], folder)  # links, and keeps the linked Program
    one, all_roots = run([*depend, "--root", "output_5"], folder), run([*depend, "--roots"], folder)
    triples = run([*depend, "--format=triples", "--no-settle"], folder)
    listed = {line for line in triples[0].split("\n") if "#" in line}
    planted = set((folder / "planted.txt").read_text().split())
    return {"lines": sum(file.read_text().count("\n") for file in folder.glob("unit_*.c")), "planted": len(planted),
            "found": len(planted & listed), "others": len(listed - planted), "one root s": f"{one[1]:.2f}",
            "all roots s": f"{all_roots[1]:.2f}", "triples s": f"{triples[1]:.2f}",
            "peak MB": f"{max(one[3], all_roots[3], triples[3]) / 1e6:.0f}"}


def plot(rows):
    """Time over lines, both logarithmic."""
    left, top, width, height = 60, 20, 520, 340
    values = [float(row[name]) for row in rows for name in COLOURS]
    x = math.floor(math.log10(rows[0]["lines"])), math.ceil(math.log10(rows[-1]["lines"]))
    y = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def at(lines, seconds):
        return (left + (math.log10(lines) - x[0]) / (x[1] - x[0]) * width,
                top + (y[1] - math.log10(seconds)) / (y[1] - y[0]) * height)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 120}" height="{top + height + 50}">',
           "<style>text { font: 12px sans-serif } polyline { fill: none; stroke-width: 2 } line { stroke: #ddd }</style>"]
    for exponent in range(x[0], x[1] + 1):
        across = at(10**exponent, 10.0 ** y[0])[0]
        out.append(f'<line x1="{across}" y1="{top}" x2="{across}" y2="{top + height}"/>'
                   f'<text x="{across}" y="{top + height + 18}" text-anchor="middle">{10**exponent}</text>')
    for exponent in range(y[0], y[1] + 1):
        down = at(10 ** x[0], 10.0**exponent)[1]
        out.append(f'<line x1="{left}" y1="{down}" x2="{left + width}" y2="{down}"/>'
                   f'<text x="{left - 6}" y="{down + 4}" text-anchor="end">{10.0**exponent:g} s</text>')
    for name, colour in COLOURS.items():
        points = [at(row["lines"], float(row[name])) for row in rows]
        out.append(f'<polyline stroke="{colour}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'
                   f'<text x="{points[-1][0] + 8}" y="{points[-1][1] + 4}" fill="{colour}">{name[:-2]}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle">lines</text></svg>')
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lines", default="10000,30000,100000,300000,1000000")
    parser.add_argument("--plot", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = []
    for lines in sorted(int(word) for word in arguments.lines.split(",")):
        folder = arguments.folder / f"lines_{lines}"
        folder.mkdir(parents=True, exist_ok=True)
        make(arguments.heddle, folder, lines)
        rows.append(measure(arguments.heddle, folder))
    print("| " + " | ".join(COLUMNS) + " |\n|" + " ---: |" * len(COLUMNS))
    for row in rows:
        print("| " + " | ".join(str(row[column]) for column in COLUMNS) + " |")
    if arguments.plot:
        arguments.plot.write_text(plot(rows))


if __name__ == "__main__":
    main()
