#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle scan` costs and finds on captured projects, in processor time, as a Markdown table.

usage: scan_projects.py HEDDLE PROJECT… [--program PROJECT=NAME] [--profile NAME] [--no-capture]

PROJECT is a folder that holds a captured project (.heddle). Each is captured once more into a scratch folder with one
process, for the ratio of scan to capture in the same run (--no-capture leaves that out and scans what is there). `scan`
is the whole process on one thread, reading the linked Program included; `2 threads` is how much faster the summaries
are on two, by wall time, so it means something on an idle machine only. `bytes` is peak memory an instruction.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time


def run(command, cwd):
    """Output, processor seconds, wall seconds, peak memory in bytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    peak = tempfile.NamedTemporaryFile("r")
    done = subprocess.run(["/usr/bin/time", "-f", "%M", "-o", peak.name, *command], cwd=cwd, capture_output=True,
                          text=True, check=False)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr, spent, wall, int(peak.read().split()[-1]) * 1024


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else 0.0


def measure(heddle, folder, extra, capture):
    captured = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        where = folder
        if capture:
            where = scratch
            _, captured, _, _ = run([heddle, "capture", "-j1", "--no-bitcode", "-p", folder / ".heddle/commands.json"],
                                    scratch)
        scan = [heddle, "scan", "--no-store", "--stats", "--limit", "1", *extra]
        run([*scan, "-j1"], where)  # links, and keeps the linked Program
        text, spent, wall, peak = run([*scan, "-j1"], where)
        _, _, wall2, _ = run([*scan, "-j2"], where)
    instructions = number(r"instructions: (\d+)", text)
    left = [int(n) for n in re.findall(r"warnings left after '[^']+': (\d+)", text)]
    return {
        "project": folder.name,
        "functions": int(number(r"functions: (\d+)", text)),
        "reached": int(number(r"main: (\d+)", text)),
        "roots": int(number(r"reached by (\d+)", text)),
        "instructions": int(instructions),
        "capture s": f"{captured:.2f}",
        "scan s": f"{spent:.2f}",
        "scan/capture": f"{spent / captured:.3f}" if captured else "",
        "µs/instr": f"{1e6 * spent / instructions:.2f}" if instructions else "",
        "bytes": int(peak / instructions) if instructions else "",
        "2 threads": f"{wall / wall2:.2f}",
        "warnings": int(number(r"(\d+) suspected race", text)),
        "likely": int(number(r"races?, (\d+) of them likely", text)),
        "after filters": " ".join(map(str, left)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("projects", nargs="+", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--program", action="append", default=[], metavar="PROJECT=NAME")
    parser.add_argument("--profile")
    parser.add_argument("--no-capture", action="store_true")
    options = parser.parse_args()
    chosen = dict(pair.split("=", 1) for pair in options.program)
    rows = []
    for folder in options.projects:
        extra = ["--program", chosen[folder.name]] if folder.name in chosen else []
        extra += ["--profile", options.profile] if options.profile else []
        rows.append(measure(options.heddle, folder, extra, not options.no_capture))
        if len(rows) == 1:
            print("| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]))
        print("| " + " | ".join(str(v) for v in rows[-1].values()) + " |", flush=True)


if __name__ == "__main__":
    main()
