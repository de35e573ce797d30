#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks our C++ files against .clang-format (--fix rewrites them) and for their SPDX line.

tests/programs and examples are left alone: there the layout of a line is part of the test or of the text.
Ends with `N passed, M failed`, one count a file; without clang-format 19 only the SPDX line is checked.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["src", "cli", "tests/unit", "tests/fuzz"]
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path


def has_spdx_line(path):
    with open(path, encoding="utf-8") as file:
        return file.readline().rstrip("\n") == SPDX


def badly_formatted(formatter, paths):
    """The files clang-format would change, found with one call."""
    run = subprocess.run([formatter, "--dry-run", *map(str, paths)], capture_output=True, text=True, cwd=ROOT)
    complaints = {line.split(":")[0] for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line}
    return {pathlib.Path(name) for name in complaints}


def main():
    paths = list(sources())
    formatter = shutil.which("clang-format-19")
    if formatter is None:
        print("clang-format-19 is not installed: formatting was not checked")
    elif "--fix" in sys.argv[1:]:
        subprocess.run([formatter, "-i", *map(str, paths)], check=True)
    failures = {path: "no SPDX line at its top" for path in paths if not has_spdx_line(path)}
    if formatter is not None:
        failures.update({path: "not formatted; run scripts/format" for path in badly_formatted(formatter, paths)})
    for path, why in sorted(failures.items()):
        print(f"{path.relative_to(ROOT)}: {why}")
    print(f"{len(paths) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
