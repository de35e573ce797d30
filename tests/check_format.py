#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks our C++ files against .clang-format (--fix rewrites them) and for their SPDX line; that code and prose end by
column 120; that files which documents name exist; and that each file of unit tests has its namespace.

tests/programs, tests/agreement and examples are left alone: there the layout of a line is part of the test or of the
text. The width is also that of Python, shell, CMake and Markdown; what may be longer: a string literal (a program in a
test, a message), a row of a table in Markdown, an address. Ends with `N passed, M failed`, one count per file; without
clang-format 19 formatting is not checked.
"""
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["src", "cli", "tests/unit", "tests/fuzz"]
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path


WIDTH = 120
TOP = ("src", "cli", "tests", "bench", "docs", "scripts", "cmake", ".ci", "models", "examples")
SUFFIXES = (".h", ".cpp", ".c", ".py", ".md", ".cmake", ".sh", "")
DATA = ("tests/programs/", "tests/agreement/", "tests/never_proved/", "tests/explore/", "examples/", "bench/")


def written():
    """What the width is asked of, without programs that are data. Does not ask git: a tarball has none."""
    paths = [path for path in ROOT.iterdir() if path.suffix == ".md" or path.name == "CMakeLists.txt"]
    for folder in TOP:
        paths += [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES or path.name == "CMakeLists.txt"]
    for path in sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts):
        name = str(path.relative_to(ROOT))
        if not (name.startswith(DATA) and path.suffix in (".c", ".cpp", ".h")):
            yield path


def literals_of_python(text):
    """Lines that a string reaches, unless it is a docstring."""
    out, starts_statement = set(), True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and not starts_statement:
            out |= set(range(token.start[0], token.end[0] + 1))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            starts_statement = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return out


def literals_of_cpp(text):
    """Lines with a string that ends behind the width, and those of raw strings."""
    out, inside = set(), False
    for number, line in enumerate(text.splitlines(), 1):
        if inside or 'R"' in line or any(m.end() > WIDTH - 8 for m in re.finditer(r'"(?:[^"\\]|\\.)*"', line)):
            out.add(number)
        opened, closed = line.rfind('R"'), line.rfind(')"')
        inside = opened > closed or (inside and closed < 0)
    return out


def too_wide(path):
    """The first line that is too long and may not be; 0: none."""
    text = path.read_text(encoding="utf-8")
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if len(line) > WIDTH]
    if not numbers:
        return 0
    lines, allowed = text.split("\n"), set()
    if path.suffix == ".py":
        allowed = literals_of_python(text)
    elif path.suffix in (".h", ".cpp", ".c"):
        allowed = literals_of_cpp(text)
    elif path.suffix == ".md":
        allowed = {number for number in numbers if lines[number - 1].lstrip().startswith("|")}
    allowed |= {number for number in numbers if "://" in lines[number - 1]}
    return next((number for number in numbers if number not in allowed), 0)


HISTORY = ("CHANGELOG.md", "docs/bugs.md", "docs/decisions/", "docs/findings/")  # may name what is gone


def missing_name(path):
    """The first file that a document names and that is not there, or None."""
    name = str(path.relative_to(ROOT))
    if path.suffix != ".md" or name.startswith(HISTORY):
        return None
    for word in re.findall(r"`((?:[a-z][\w.-]*/)+[a-z][\w.-]*\.(?:h|cpp|c|py|toml|md|sh|cmake))`", path.read_text()):
        if not any((folder / word).exists() for folder in (ROOT, ROOT / "src", path.parent)):
            return word
    return None


def is_unit_test_without_namespace(path):
    """scripts/test compiles several files of tests as one: what each one defines is in a namespace of its own."""
    if ROOT / "tests" / "unit" not in path.parents or not path.name.endswith("_test.cpp"):
        return False
    text = path.read_text(encoding="utf-8")
    return "\nnamespace {\n" in text or "\nnamespace HEDDLE_TEST_FILE {\n" not in text


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
    failures.update({path: "its content belongs into `namespace HEDDLE_TEST_FILE {`, not into one without a name"
                     for path in paths if is_unit_test_without_namespace(path)})
    wide = list(written())
    for path in wide:
        if number := too_wide(path):
            failures.setdefault(path, f"line {number} is longer than {WIDTH} columns")
        if name := missing_name(path):
            failures.setdefault(path, f"names {name}, which does not exist")
    paths = sorted({*paths, *wide})
    for path, why in sorted(failures.items()):
        print(f"{path.relative_to(ROOT)}: {why}")
    print(f"{len(paths) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
