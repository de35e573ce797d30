#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks who includes whom in src/ and cli/ (the table in ARCHITECTURE.md).

A folder may include what its row names and everything those may include. Headers of LLVM, PPL and the solvers stay in
the one folder that wraps them, and only cli/ may end the process. Begins with a test of itself; ends with
`N passed, M failed`, one count a file.
"""
import pathlib
import re
import sys
import tempfile

MAY_INCLUDE = {
    "base": [],
    "store": ["base"],
    "program": ["base"],
    "api": ["program"],
    "numeric": ["base"],
    "smt": ["base"],
    "frontend": ["api"],
    "interpret": ["program", "api"],
    "alias": ["program", "api"],
    "threads": ["alias"],
    "flow": ["program", "numeric"],
    "summary": ["alias", "threads", "flow"],
    "race": ["summary"],
    "scan": ["race", "store"],
    "history": ["race", "flow", "numeric", "smt", "interpret"],
    "transaction": ["race", "flow", "numeric", "smt", "interpret"],
    "bmc": ["race", "flow", "numeric", "smt", "interpret"],
    "explore": ["race", "flow", "numeric", "smt", "interpret"],
    "depend": ["threads", "race"],
    "report": ["race"],
    "pipeline": ["frontend", "interpret", "scan", "history", "transaction", "bmc", "explore", "depend", "report"],
    "cli": ["pipeline", "report"],
}

# Libraries that only one folder may see, by how their headers' names begin.
WRAPPED = {
    "llvm/": "frontend", "llvm-c/": "frontend", "clang/": "frontend", "clang-c/": "frontend",
    "ppl": "numeric", "z3": "smt", "cadical": "smt", "lmdb": "store",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ENDS_PROCESS = re.compile(r"(?<![\w.>])(?:std::|::)?(?:_?exit|quick_exit|_Exit|abort|terminate)\s*\(")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def reachable(folder):
    seen, todo = {folder}, [folder]
    while todo:
        for below in MAY_INCLUDE[todo.pop()]:
            if below not in seen:
                seen.add(below)
                todo.append(below)
    return seen


def include_problem(root, folder, bracket, target):
    for prefix, owner in WRAPPED.items():
        if target.startswith(prefix) and folder != owner:
            return f"'{target}' may be included only in src/{owner}/"
    if bracket == "<" or "/" not in target:
        return None  # the standard library, another library, or a neighbour in the same folder
    included = target.split("/")[0]
    if not (root / "src" / included).is_dir():
        return None  # another library, in quotes
    if included not in MAY_INCLUDE:
        return f"src/{included}/ is not in the table of tests/check_layers.py"
    if included not in reachable(folder):
        return f"{folder} may not include '{target}': allowed are {', '.join(sorted(reachable(folder)))}"
    return None


def problems_of(root, path, folder):
    if folder not in MAY_INCLUDE:
        return [f"src/{folder}/ is not in the table of tests/check_layers.py"]
    found = []
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            if problem := include_problem(root, folder, *match.groups()):
                found.append(f"{number}: {problem}")
    if folder != "cli" and ENDS_PROCESS.search(COMMENT_OR_STRING.sub("", text)):
        found.append("only cli/ may end the process: return an error, or use HEDDLE_CHECK for a bug of ours")
    return found


def check(root):
    """Every file with its list of problems."""
    result = {}
    for base in (root / "src", root / "cli"):
        for path in sorted(base.rglob("*")):
            if path.suffix in (".h", ".cpp", ".inc"):
                folder = "cli" if base.name == "cli" else path.relative_to(base).parts[0]
                result[path.relative_to(root)] = problems_of(root, path, folder)
    return result


SELF_TEST = {  # file: (content, is it a problem?)
    "src/base/a.h": ("#include <vector>\n", False),
    "src/base/up.h": ('#include "program/p.h"\n', True),
    "src/program/p.h": ('#include "base/a.h"\n#include "q.h"\n', False),
    "src/program/llvm.cpp": ("#include <llvm/IR/Module.h>\n", True),
    "src/frontend/llvm.cpp": ('#include "llvm/IR/Module.h"\n#include "base/a.h"\n', False),
    "src/race/far.cpp": ('#include "alias/x.h"\n', False),
    "src/race/exit.cpp": ("void f() { std::exit(1); }\n", True),
    "src/race/comment.cpp": ('// exit(1)\nconst char* s = "abort()"; int x = a.exit();\n', False),
    "src/alias/x.h": ('#include "race/far.h"\n', True),
    "src/history/h.cpp": ('#include "bmc/b.h"\n', True),
    "src/bmc/b.h": ('#include "race/r.h"\n', False),
    "src/unlisted/u.cpp": ("\n", True),
    "cli/main.cpp": ('#include "pipeline/p.h"\nint main() { exit(0); }\n', False),
    "cli/llvm.cpp": ("#include <clang/AST/AST.h>\n", True),
    "src/pipeline/p.h": ('#include "frontend/f.h"\n#include "bmc/b.h"\n', False),
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, (content, _) in SELF_TEST.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content, encoding="utf-8")
        found = check(root)
        wrong = [name for name, (_, bad) in SELF_TEST.items() if bool(found[pathlib.Path(name)]) != bad]
    for name in wrong:
        print(f"self-test: the check is wrong about {name}")
    return len(SELF_TEST) - len(wrong), len(wrong)


def main():
    passed, failed = self_test()
    for path, problems in check(pathlib.Path(__file__).resolve().parent.parent).items():
        for problem in problems:
            print(f"{path}:{'' if problem[0].isdigit() else ' '}{problem}")
        passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
