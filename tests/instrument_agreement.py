#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instrumented programs against plain ones: with hooks that do nothing, both print the same.

    instrument_agreement.py HEDDLE              tests/agreement/ and every program of tests/programs/ that can run
    instrument_agreement.py HEDDLE --every 8    each 8th of them
    instrument_agreement.py HEDDLE --only NAME  those whose path contains NAME

Each program is built by clang at -O0 (and at -O1: the sign of a NaN is the code generator's business), and twice by
`heddle instrument`: with hooks in front of shared accesses, and with all hooks. These must agree in output and exit
code; a program of tests/programs counts if three plain runs agree, and with a race it may still print something else.
Then the program with all hooks runs once more and writes where its hooks are called: what the debug information says of
such a place must be what the table says of the number the hook was given, and the kind must be that of the hook.
--plugin FILE: clang with the plugin (ninja heddle_instrument_plugin) writes the same table as `heddle instrument`. Ends
with `N passed, M failed`.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import interpret_agreement
import limits
import run_programs
from interpret_agreement import differ, outcome, run_tests

HERE = pathlib.Path(__file__).resolve().parent
MOST_PLACES = 5000  # of one program


def make_runtime(clang, folder):
    """The archive with the hooks of tests/instrument/stub_runtime.c."""
    subprocess.run([clang, "-O1", "-std=gnu11", "-fPIC", "-I", str(HERE.parent), "-c",
                    str(HERE / "instrument" / "stub_runtime.c"), "-o", str(folder / "stub.o")], check=True)
    archive = folder / "libstub.a"
    subprocess.run(["ar", "rcs", str(archive), str(folder / "stub.o")], check=True)
    return archive


def instrument(chosen, source, folder, flags, more):
    command = [chosen.heddle, "instrument", str(source), "-o", str(folder), "--runtime", str(chosen.runtime), *more,
               "--", "-w", *flags]
    made = subprocess.run(command, capture_output=True, text=True, timeout=limits.seconds(120))
    return None if made.returncode == 0 else made.stderr.strip()


def read_table(folder):
    rows = (folder / "accesses").read_text().splitlines()[1:]
    return {row.split("\t")[0]: row.split("\t") for row in rows}


def noted_places(chosen, folder):
    """What the hooks of one run tell: (hook, offset, number), each once."""
    noted = folder / "places"
    environment = dict(os.environ, HEDDLE_TEST_PLACES=str(noted))
    try:
        subprocess.run([str(folder / "program")], stdin=subprocess.DEVNULL, capture_output=True, env=environment,
                       timeout=limits.seconds(20))
    except subprocess.TimeoutExpired:
        pass
    lines = noted.read_text().splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return sorted({tuple(line.split()) for line in lines if len(line.split()) == 3})[:MOST_PLACES]


def check_places(chosen, folder):
    """None, or the first hook whose place is not that of its number."""
    table = read_table(folder)
    places = noted_places(chosen, folder)
    if not places:
        return None
    addresses = "".join(f"0x{int(offset, 16) - 1:x}\n" for _, offset, _ in places)
    said = subprocess.run([chosen.symbolizer, "--relative-address", "--no-inlines", "--output-style=GNU",
                           "--functions=none", "-e", str(folder / "program")], input=addresses, capture_output=True,
                          text=True, check=True).stdout.splitlines()
    for (hook, _, number), where in zip(places, said, strict=True):
        row = table.get(number)
        if row is None:
            return f"a hook hands over {number}, which is not in the table"
        # What a call surely touches is told by the hooks of accesses.
        if not (row[1] in (hook, "call-" + hook) or (hook == "call" and row[1] in ("call-write", "call-free"))):
            return f"a hook '{hook}' hands over the number of {row}"
        if row[3] != "0" and where.split(" ")[0].rsplit("/", 1)[-1].split(":")[:2] != [row[2].rsplit("/", 1)[-1],
                                                                                    row[3]]:
            return f"a hook at {where} hands over the number of {row}"
    return None


def check_plugin(chosen, source, folder, flags, wanted):
    """None, or how the table differs that clang with the plugin writes."""
    rows = folder / "rows"
    command = [chosen.clang, "-w", "-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fstandalone-debug",
               "-fdebug-compilation-dir=/", f"-fpass-plugin={chosen.plugin}", *flags, "-c", str(source), "-o",
               str(folder / "plugin.o")]
    made = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, HEDDLE_ACCESSES=str(rows)))
    if made.returncode != 0:
        return f"plugin: {made.stderr.strip()[-300:]}"
    differing = set(rows.read_text().splitlines()) ^ set((wanted / "accesses").read_text().splitlines())
    return f"plugin: rows differ: {sorted(differing)[:3]}" if differing else None


def plain_outcome(chosen, source, folder, flags, repeated):
    """(outcome, None) or (None, why the program does not count)."""
    binary = folder / "plain"
    if interpret_agreement.build(chosen.clang, source, binary, flags, chosen.target) is not None:
        return None, "does not build"
    seen = {outcome([str(binary)], text=chosen.given(source), seconds=5)[:2] for _ in range(3 if repeated else 1)}
    if any(code == "timeout" for code, _ in seen):
        return None, "does not end in 5 s"
    return (seen.pop(), None) if len(seen) == 1 else (None, "plain runs differ")


def compare(chosen, source, flags, repeated, racy):
    """(problem, "") or (None, "agrees" or why it does not count)."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wanted, why = plain_outcome(chosen, source, folder, flags, repeated)
        for title, more in (("shared", []), ("all", ["--hook-all"])):
            problem = instrument(chosen, source, folder / title, flags, more)
            if problem is not None:
                return (None, why) if why == "does not build" else (f"{title}: {problem}", "")
            if wanted is None:
                continue
            got = outcome([str(folder / title / "program")], text=chosen.given(source), seconds=20)
            if got[:2] != wanted and got[:2] != plain_outcome(chosen, source, folder, [*flags, "-O1"], False)[0]:
                if not racy:
                    return f"{title}: {differ(wanted, got)}", ""
                why = "racy, another outcome"
        problem = check_places(chosen, folder / "all")
        if problem is None and chosen.plugin and source.suffix == ".c":
            problem = check_plugin(chosen, source, folder, flags, folder / "shared")
        return (problem, "") if problem else (None, why or "agrees")


def programs(chosen):
    """(name, source, flags, whether what it prints may depend on the schedule, whether it has a race)."""
    for source in sorted((HERE / "agreement").glob("*.c*")):
        yield f"agreement/{source.name}", source, ["-std=c++17"] if source.suffix == ".cpp" else [], False, False
    for source in sorted(run_programs.PROGRAMS.rglob("*")):
        if source.suffix not in (".c", ".cpp"):
            continue
        program = run_programs.read_program(source)
        if "NOT-RUNNABLE" not in program.tags:
            yield program.title, source, program.flags, True, program.is_racy()


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("heddle")
    options.add_argument("--clang", default="clang-19")
    options.add_argument("--symbolizer", default="llvm-symbolizer-19")
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--plugin")
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    chosen.target = interpret_agreement.Target(None)
    chosen.given = interpret_agreement.input_of
    with tempfile.TemporaryDirectory() as name:
        chosen.runtime = make_runtime(chosen.clang, pathlib.Path(name))
        jobs = [(title, lambda program=program: compare(chosen, *program))
                for title, *program in programs(chosen) if chosen.only in title][::chosen.every]
        passed = failed = 0
        reasons = {}
        for title, (problem, reason) in run_tests(jobs):
            if problem is not None:
                failed += 1
                print(f"{title}: {problem}")
            elif reason == "agrees":
                passed += 1
            else:
                reasons.setdefault(reason, []).append(title)
    for reason, names in sorted(reasons.items()):
        print(f"not compared, {reason}: {len(names)}: {' '.join(names)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
