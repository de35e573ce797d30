#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `heddle scan` report true races that were planted into a package, and how far up?

usage: planted_races.py HEDDLE PACKAGE_SOURCE COMMANDS [--plants FILE] [--keep FOLDER]

PACKAGE_SOURCE is the unpacked, configured package, COMMANDS its compile commands (a JSON database). The tree is copied
into a scratch folder, every plant of a batch of bench/planted_races/PACKAGE.toml is applied, and the copy is captured
and scanned. A plant is a table:

    profiles = ["libevent"]                  # once, at the top, if the package needs some
    program = "memcached.c"                  # likewise, if it is several programs: the file of the main that is meant
    [[plant]]
    file = "items.c"                         # below PACKAGE_SOURCE
    function = "get_cas_id"                  # texts below are looked for in its body
    drop = ["lock(&m)", "unlock(&m) #2"]     # all places of a text, or only the second, become `(void)0`
    move = "count++;"                        # … or a statement is moved before or after another
    before = "lock(&m);"
    variable = ["count"]                     # names of which the racing access must have one
    why = "…"
    batch = 2                                # plants that would outvote each other (one variable) go into two copies of
                                             # the tree; else 1

Line numbers stay as they were. A plant is reported if some warning has an access to such a variable whose call stack
passes the planted lines of the function. Its rank is that of the first such warning.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent


def body_of(lines, function):
    """First and last line, from 0, of a function that is defined at the left margin."""
    head = re.compile(r"^[A-Za-z_](.*\W)?" + re.escape(function) + r"\s*\(|^" + re.escape(function) + r"\s*\(")
    for first, line in enumerate(lines):
        if not head.match(line):
            continue
        for at in range(first, len(lines)):
            if "{" in lines[at]:
                return first, next(end for end in range(at, len(lines)) if lines[end].startswith("}"))
            if ";" in lines[at]:
                break
    sys.exit(f"no function '{function}'")


def places(lines, first, last, text):
    """Lines that hold a text; `text #2` is its second place only."""
    text, _, nth = text.partition(" #")
    found = [at for at in range(first, last + 1) if re.search(r"(?<!\w)" + re.escape(text), lines[at])]
    if not found or (nth and len(found) < int(nth)):
        sys.exit(f"'{text}' is not in lines {first + 1} to {last + 1}")
    return text, [found[int(nth) - 1]] if nth else found


def edits_of(plant, lines):
    """What a plant does, as (line, old, new) with `old` empty for text set before the line; and the lines on which
    accesses then race."""
    first, last = body_of(lines, plant["function"])
    edits, touched = [], []
    for wanted in plant.get("drop", []):
        text, found = places(lines, first, last, wanted)
        edits += [(at, text, "(void)0") for at in found]
        touched += found
    if "move" in plant:
        text, found = places(lines, first, last, plant["move"])
        edits.append((found[0], text, "(void)0;"))
        anchor, where = places(lines, first, last, plant.get("before") or plant["after"])
        edits.append((where[0], anchor, f"{text} {anchor}" if "before" in plant else f"{anchor} {text}"))
        touched += [found[0], where[0]] if "lock(" in text else [where[0]]
    return edits, (min(touched) + 1, max(touched) + 1)


def apply_all(plants, tree):
    """Line ranges by plant. All places are looked up in the unchanged files, then changed."""
    originals = {plant["file"]: (tree / plant["file"]).read_text(errors="surrogateescape").split("\n")
                 for plant in plants}
    changed = {name: list(lines) for name, lines in originals.items()}
    ranges = []
    for plant in plants:
        edits, where = edits_of(plant, originals[plant["file"]])
        lines = changed[plant["file"]]
        for at, old, new in edits:
            if old not in lines[at]:
                sys.exit(f"{plant['file']}:{at + 1}: two plants change '{old}'")
            lines[at] = lines[at].replace(old, new, 1)
        ranges.append(where)
    for name, lines in changed.items():
        (tree / name).write_text("\n".join(lines), errors="surrogateescape")
    return ranges


def is_reported_by(race, plant, where):
    names = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, plant["variable"])) + r")(?!\w)")
    for access in race["accesses"]:
        if not names.search(access["path"]) and not names.search(race["variable"]):
            continue
        for frame in access["stack"]:
            if frame["file"].endswith("/" + plant["file"]) and where[0] <= frame["line"] <= where[1]:
                return True
    return False


def scan(heddle, source, commands, plants, package, scratch):
    """The races of the patched package, and the planted lines."""
    tree = scratch / "tree"
    shutil.copytree(source, tree, symlinks=True, ignore=shutil.ignore_patterns("*.o", "*.lo", "*.a", ".libs", ".git"))
    ranges = apply_all(plants, tree)
    database = scratch / "commands.json"
    database.write_text(commands.read_text().replace(str(source), str(tree)))
    subprocess.run([heddle, "capture", "-j2", "--no-bitcode", "-p", database], cwd=scratch, check=True,
                   stdout=subprocess.DEVNULL)
    report = scratch / "report.json"
    asked = [word for profile in package.get("profiles", []) for word in ("--profile", profile)]
    if "program" in package:
        asked += ["--program", f"tree/{package['program']}"]
    subprocess.run([heddle, "scan", "--format", "json", "-o", report, *asked], cwd=scratch, check=False,
                   stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["races"], ranges


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("source", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("commands", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--plants", type=pathlib.Path,
                        help="default: planted_races/ beside this, by the folder's name before its first '-'")
    parser.add_argument("--keep", type=lambda p: pathlib.Path(p).resolve(),
                        help="scratch folder to use, new, and not removed")
    options = parser.parse_args()
    file = options.plants or HERE / "planted_races" / (options.source.name.split("-")[0] + ".toml")
    package = tomllib.loads(file.read_text())
    plants = package["plant"]
    ranks = []
    for batch in sorted({plant.get("batch", 1) for plant in plants}):
        some = [plant for plant in plants if plant.get("batch", 1) == batch]
        with tempfile.TemporaryDirectory() as temporary:
            scratch = (options.keep or pathlib.Path(temporary)) / str(batch)
            scratch.mkdir(parents=True)
            races, ranges = scan(options.heddle, options.source, options.commands, some, package, scratch)
        for plant, where in zip(some, ranges):
            rank = next((at for at, race in enumerate(races, 1) if is_reported_by(race, plant, where)), 0)
            ranks.append(rank)
            print(f"{rank or 'not reported':>12}  {plant['function']}: {plant['variable'][0]} ({plant['file']}:{where[0]})")
    reported = [rank for rank in ranks if rank]
    print(f"{len(reported)} of {len(plants)} reported, {sum(rank <= 100 for rank in reported)} in the first 100")


if __name__ == "__main__":
    main()
