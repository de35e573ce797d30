#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks who includes whom in src/ and cli/ (the table in ARCHITECTURE.md).

A room is a folder of src/, or a folder in such a folder. It may include what its row names and everything those may
include; a permission that no include needs is an error, and so is a ring. Headers of LLVM, PPL and the solvers stay in
the one folder that wraps them, only cli/ may end the process, and no folder has more than 25 files.

What library calls do is closed: `EffectKind` is named in src/api/ alone, a switch over an enum of src/api/effect.h or
src/api/action.h has no `default:` (and `api::treat`
refuses a generic case). So a new kind of effect does not compile until
every stage has said what it means there.

Begins with a test of itself; ends with `N passed, M failed`, one count per file and folder.
"""
import functools
import pathlib
import re
import sys
import tempfile

MAY_INCLUDE = {
    "base/machine": [],
    "base": ["base/machine"],
    "base/kept": ["base"],
    "host": ["base"],
    "store": ["base/kept"],
    "program/model": ["base"],
    "program/text": ["program/model"],
    "program/names": ["program/text"],
    "program/link": ["program/model"],
    "program/unit": ["program/model", "base/kept"],
    "api": [],
    "api/reader": ["api", "base"],
    "api/models": ["api/reader", "program/model"],
    "api/code": ["api/models"],
    "api/propose": ["api/models"],
    "build/intercept": [],
    "build/watch": ["base", "build/intercept"],
    "build": ["host", "build/watch", "base/kept"],
    "frontend/firmware": [],
    "frontend/clang": ["build", "program/model", "frontend/firmware"],
    "frontend/lower": ["frontend/clang"],
    "frontend": ["frontend/lower", "program/link", "program/unit"],
    "instrument": ["instrument/hooks", "frontend", "api/models", "program/names", "flow"],
    "instrument/hooks": [],
    "project": ["frontend"],
    "project/native": ["project", "instrument"],
    "numeric": ["base"],
    "flow": ["program/model"],
    "interpret/code": ["api", "flow", "numeric"],
    "interpret/state": ["interpret/code"],
    "interpret/core": ["interpret/state"],
    "interpret/sync": ["interpret/core"],
    "interpret/library": ["interpret/sync"],
    "interpret/machine": ["interpret/library", "api/models"],
    "alias": ["api/models"],
    "alias/inclusion": ["api/models"],
    "alias/locks": ["alias", "flow"],
    "threads": ["api/models", "program/names", "flow"],
    "depend/system": ["threads", "host"],
    "depend/access": ["depend/system", "alias"],
    "depend/risk": ["depend/access"],
    "depend/values": ["depend/access", "interpret/library"],
    "depend/judge": ["depend/risk", "depend/values", "interpret/machine"],
    "depend/graph": ["depend/access"],
    "depend/tree": ["depend/graph", "depend/risk", "report/screen"],
    "report": ["base"],
    "smt": ["base"],
    "report/screen": ["report"],
    "locks": [],
    "race/claims": [],
    "race": ["program/names", "report", "race/claims"],
    "topdown/domain": ["threads", "numeric", "locks"],
    "topdown/memory": ["topdown/domain"],
    "topdown/values": ["topdown/domain"],
    "topdown/record": ["topdown/memory", "topdown/values"],
    "topdown/actions": ["topdown/record"],
    "topdown/transfer": ["topdown/actions"],
    "topdown/cases": ["topdown/transfer", "race"],
    "scan/names": ["program/names"],
    "scan/calls": ["scan/names", "alias"],
    "scan/summary": ["scan/calls", "flow", "locks"],
    "scan/execute": ["scan/summary"],
    "scan/summarise": ["scan/execute"],
    "scan/keep": ["scan/summarise", "store"],
    "scan/reach": ["scan/keep", "threads", "alias/locks"],
    "scan/objects": ["scan/reach", "race"],
    "scan/pairs": ["scan/objects"],
    "scan/cases": ["scan/pairs"],
    "scan/shared": ["scan/pairs"],
    "scan": ["scan/shared", "scan/cases"],
    "explore/executor": ["report"],
    "explore/watch": ["explore/executor"],
    "explore/clocks": ["explore/watch"],
    "explore/search": ["explore/clocks"],
    "explore/shares": ["explore/prune"],
    "explore/evidence": ["explore/shares", "race"],
    "explore/states": ["explore/executor", "race"],
    "explore/hunt": ["explore/evidence"],
    "explore/prune": ["explore/search"],
    "explore/sides": ["explore/executor", "alias", "flow", "program/names"],
    "explore/inputs": ["interpret/state", "api/models"],
    "explore/interpreted": ["explore/sides", "explore/inputs", "interpret/machine"],
    "explore/native": ["explore/evidence"],
    "explore/work": ["explore/evidence"],
    "explore/launch": ["explore/work"],
    "judge/common": ["explore/evidence", "explore/sides"],
    "judge/explore": ["judge/common", "explore/states", "explore/interpreted"],
    "judge/run": ["explore/launch"],
    "judge/history": ["proof"],
    "judge/thread_graphs": ["proof/transaction"],
    "judge/thread_model": ["judge/thread_graphs", "alias/inclusion"],
    "judge/transaction": ["judge/thread_model"],
    "judge/values": ["topdown/cases"],
    "judge/circuit": ["smt"],
    "judge/bmc": ["judge/common", "judge/circuit", "explore/interpreted"],
    "proof": ["race"],
    "proof/transaction": ["numeric", "race", "smt"],
    "pipeline/native": ["judge/run", "project/native"],
    "pipeline/system": ["scan/pairs", "depend/risk"],
    "pipeline": ["api/code", "pipeline/native", "pipeline/system", "scan", "judge/explore", "judge/history",
                 "judge/transaction", "judge/values", "judge/bmc"],
    "pipeline/depend": ["pipeline", "depend/judge", "depend/tree"],
    "cli": ["pipeline/depend", "api/propose"],
}

MOST_FILES = 25  # in one folder

# Where the closed enums of effects stand, and the room that may name the kinds of effects themselves.
CLOSED_ENUMS = ("src/api/effect.h", "src/api/action.h")
NAMES_KINDS = "api"

# Libraries that only some folders may see, by how their headers' names begin.
WRAPPED = {
    "llvm/": ("frontend", "instrument"), "llvm-c/": ("frontend", "instrument"), "clang/": ("frontend",),
    "clang-c/": ("frontend",), "ppl": ("numeric",), "z3": ("smt",), "cadical": ("smt",), "mpfr": ("numeric",),
    "gmp": ("numeric",),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# A solver calls a virtual function of its own `bool terminate()`.
ENDS_PROCESS = re.compile(r"(?<![\w.>])(?<!bool )(?:std::|::)?(?:_?exit|quick_exit|_Exit|abort|terminate)\s*\(")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


SCOPE = re.compile(r"\b(?:struct|class)\s+(\w+)[^;{]*\{|\benum\s+class\s+(\w+)[^;{]*\{|[{}]")
SWITCH = re.compile(r"\bswitch\s*\(")
LABEL = re.compile(r"\bcase\s+([\w:]+)::(\w+)\s*:(?!:)")
BARE_LABEL = re.compile(r"\bcase\s+(\w+)\s*:(?!:)")
ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*([\w:]+)\s*;")


@functools.cache
def closed_enums(root):
    """Names such as 'EffectKind', 'Touch::Extent', each with its outer struct, of the files that declare them."""
    found = set()
    for name in CLOSED_ENUMS:
        if not (root / name).exists():
            continue
        scopes = []
        for match in SCOPE.finditer(COMMENT_OR_STRING.sub("", (root / name).read_text(encoding="utf-8"))):
            if match.group(1):
                scopes.append(match.group(1))
            elif match.group(2):
                found.add("::".join([scope for scope in scopes if scope] + [match.group(2)]))
                scopes.append(None)
            elif match.group() == "{":
                scopes.append(None)
            elif scopes:
                scopes.pop()
    return found


def body_behind(text, at):
    """The text between the brace that opens behind `at` and the one that closes it."""
    begin = text.find("{", at)
    depth = 0
    for i in range(begin, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return text[begin + 1:i]
    return text[begin + 1:]


def own_labels(body):
    """A switch without the switches inside it."""
    while match := SWITCH.search(body):
        inner = body_behind(body, match.end())
        body = body[:match.start()] + body[body.index(inner, match.end()) + len(inner) + 1:]
    return body


def is_closed(label, enums, aliases):
    """`label`: the enum of a case, as it is written: 'Step', 'api::Touch::Extent', 'EffectKind'."""
    label = aliases.get(label, label)
    return any(label == enum or label.endswith("::" + enum) for enum in enums)


def effect_problems(root, text, room):
    text = COMMENT_OR_STRING.sub("", text)
    enums = closed_enums(root)
    found = []
    if "EffectKind" in text and room.split("/")[0] != NAMES_KINDS:
        found.append("names EffectKind: outside of src/api/ calls are actions (src/api/action.h)")
    aliases = dict(ALIAS.findall(text))
    opened = [name for name in re.findall(r"\busing\s+enum\s+([\w:]+)\s*;", text) if is_closed(name, enums, aliases)]
    for match in SWITCH.finditer(text):
        body = own_labels(body_behind(text, match.end()))
        is_ours = any(is_closed(enum, enums, aliases) for enum, _ in LABEL.findall(body))
        is_ours = is_ours or (opened and BARE_LABEL.search(body))
        if is_ours and re.search(r"\bdefault\s*:", body):
            line = text[:match.start()].count("\n") + 1
            found.append(f"{line}: a switch over what calls do has a default: name every case")
    return found


def room_of(path):
    """The longest row of the table that the folder of a file lies in: 'program/link/link.h' is in 'program/link'."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in MAY_INCLUDE:
            return "/".join(parts[:length])
    return None


def reachable(room, without=None):
    seen, todo = {room}, [room]
    while todo:
        here = todo.pop()
        for below in MAY_INCLUDE[here]:
            if below not in seen and (here, below) != without:
                seen.add(below)
                todo.append(below)
    return seen


def include_problem(root, room, bracket, target):
    for prefix, owners in WRAPPED.items():
        if target.startswith(prefix) and room.split("/")[0] not in owners:
            return f"'{target}' may be included only in src/{'/, src/'.join(owners)}/"
    if bracket == "<" or "/" not in target:
        return None  # the standard library, another library, or a neighbour in the same folder
    if target.startswith("cli/"):
        return None if room == "cli" else f"{room} may not include '{target}'"
    if not (root / "src" / target.split("/")[0]).is_dir():
        return None  # another library, in quotes
    included = room_of(target)
    if included is None:
        return f"'{target}' lies in no room of the table of tests/check_layers.py"
    if included not in reachable(room):
        return f"{room} may not include '{target}': allowed are {', '.join(sorted(reachable(room)))}"
    return None


def problems_of(root, path, room, used):
    """What is wrong in one file; rooms it includes are added to `used`."""
    if room is None:
        return ["lies in no room of the table of tests/check_layers.py"]
    found = []
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if match := INCLUDE.match(line):
            if problem := include_problem(root, room, *match.groups()):
                found.append(f"{number}: {problem}")
            elif match.group(1) == '"' and (included := room_of(match.group(2))):
                used.setdefault(room, set()).add(included)
    if room != "cli" and ENDS_PROCESS.search(COMMENT_OR_STRING.sub("", text)):
        found.append("only cli/ may end the process: return an error, or use HEDDLE_CHECK for a bug of ours")
    return found + effect_problems(root, text, room)


def table_problems(used):
    """Rows that form a ring, and permissions that no include needs."""
    found = []
    for room, allowed in MAY_INCLUDE.items():
        for below in allowed:
            if room in reachable(below):
                found.append(f"the table lets {room} and {below} include each other")
            elif used.get(room, set()) <= reachable(room, without=(room, below)):
                found.append(f"{room} may include {below}, and nothing there needs it")
    return found


def check(root, used=None):
    """Every file and folder with its list of problems."""
    result = {}
    used = {} if used is None else used
    for base in (root / "src", root / "cli"):
        for path in sorted(base.rglob("*")):
            if path.is_dir():
                count = sum(entry.is_file() for entry in path.iterdir())
                crowded = [f"has {count} files; {MOST_FILES} at most: split it"] if count > MOST_FILES else []
                result[path.relative_to(root)] = crowded
            elif path.suffix in (".h", ".cpp", ".inc"):
                room = "cli" if base.name == "cli" else room_of(path.relative_to(base).as_posix())
                result[path.relative_to(root)] = problems_of(root, path, room, used)
    return result


SELF_TEST = {  # file: (content, is it a problem?)
    "src/base/a.h": ("#include <vector>\n", False),
    "src/base/up.h": ('#include "program/text/p.h"\n', True),
    "src/program/text/p.h": ('#include "base/a.h"\n#include "q.h"\n', False),
    "src/program/text/llvm.cpp": ("#include <llvm/IR/Module.h>\n", True),
    "src/frontend/llvm.cpp": ('#include "llvm/IR/Module.h"\n#include "base/a.h"\n', False),
    "src/scan/reach/far.cpp": ('#include "threads/x.h"\n', False),
    "src/race/exit.cpp": ("void f() { std::exit(1); }\n", True),
    "src/race/comment.cpp": ('// exit(1)\nconst char* s = "abort()"; int x = a.exit();\n', False),
    "src/threads/x.h": ('#include "scan/reach/far.h"\n', True),
    "src/program/link/l.h": ('#include "program/model/m.h"\n', False),
    "src/program/model/m.h": ('#include "program/link/l.h"\n', True),
    "src/program/odd.h": ("\n", True),
    "src/unlisted/u.cpp": ("\n", True),
    "cli/main.cpp": ('#include "pipeline/p.h"\nint main() { exit(0); }\n', False),
    "cli/llvm.cpp": ("#include <clang/AST/AST.h>\n", True),
    "src/pipeline/p.h": ('#include "frontend/f.h"\n#include "scan/keep/b.h"\n', False),
    "src/api/effect.h": ("enum class EffectKind { Read, Write };\n", False),
    "src/api/action.h": ("struct Touch { enum class Extent { Object, Hidden }; };\n", False),
    "src/api/kinds.cpp": ("int f(EffectKind k) { switch (k) { case EffectKind::Read: return 1; default: return 0; } }\n", True),
    "src/api/all.cpp": ("int f(EffectKind k) { switch (k) { case EffectKind::Read:\n case EffectKind::Write: return 1; } }\n", False),
    "src/api/opened.cpp": ("using enum EffectKind; int f(auto k) { switch (k) { case Read: return 1; default: return 0; } }\n", True),
    "src/scan/kind.cpp": ("bool f(auto e) { return e.kind == api::EffectKind::Read; }\n", True),
    "src/scan/extent.cpp": ("int f(auto e) { switch (e) { case api::Touch::Extent::Object: return 1; default: return 0; } }\n", True),
    "src/scan/alias.cpp": ("using E = api::Touch::Extent; int f(E e) { switch (e) { case E::Object: return 1; default: return 0; } }\n", True),
    "src/scan/inner.cpp": ("int f(auto e, int i) { switch (e) { case api::Touch::Extent::Object: switch (i) { case 1: return 2; default: "
                           "return 3; }\n case api::Touch::Extent::Hidden: return 1; } }\n", False),
    "src/scan/outer.cpp": ("int f(auto e, int i) { switch (i) { case 1: switch (e) { case Touch::Extent::Object: return 1; case "
                           "Touch::Extent::Hidden: return 2; } default: return 0; } }\n", False),
    "src/scan/other.cpp": ("int f(Opcode o) { switch (o) { case Opcode::Load: return 1; default: return 0; } }  // EffectKind\n", False),
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
    used = {}
    rows = check(pathlib.Path(__file__).resolve().parent.parent, used)
    rows["tests/check_layers.py"] = table_problems(used)
    for path, problems in rows.items():
        for problem in problems:
            print(f"{path}:{'' if problem[0].isdigit() else ' '}{problem}")
        passed, failed = passed + (not problems), failed + bool(problems)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
