# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants every kind of difference into a report and looks whether tests/compare_reports.py tells it, in one line.

Called by `tests/compare_reports.py --self-test`.
"""
import argparse
import copy
import json
import pathlib
import tempfile

from compare_reports import compare, compare_files


def an_access(line, kind, thread, locks):
    return {"file": "a.c", "line": line, "column": 3, "kind": kind, "atomic": False, "path": "x",
            "function": f"f{line}", "thread": thread, "locks": locks, "stack": [],
            "threads": [{"entry": thread, "several": False}]}


def a_race(line, variable):
    accesses = [an_access(line, "write", "main", ["m", "n"]), an_access(line + 1, "read", "worker", [])]
    return {"id": f"id{line}", "variable": variable, "verdict": "likely", "reasons": ["r"], "accesses": accesses}


def a_report(**changed):
    return {"version": 1, "verdict": "unknown", "coverage": {"tried": 1, "functions": 4},
            "races": [a_race(line, f"v{line}") for line in (10, 20, 30)],
            "obstacles": [{"where": "a.c:1:1", "what": "o"}], "assumptions": ["a"],
            "also_seen": [{"kind": "deadlock", "what": "w", "stack": []}], **changed}


def race(**fields):
    return lambda report: report["races"][0].update(fields)


def access(**fields):
    return lambda report: report["races"][0]["accesses"][0].update(fields)


def locks(side, change):
    return lambda report: change(report["races"][0]["accesses"][side]["locks"])


OTHER_THREAD = [{"entry": "x", "several": True}]
WORDS, IDS, FULL = {"ignore_words": True}, {"ignore_ids": True}, {"full": True}

# What is planted, how, with which options, and how the one line begins that must be told. "": nothing must be told.
PLANTED = [
    ("nothing", lambda r: None, FULL, ""),
    ("accesses in the other order", lambda r: r["races"][1]["accesses"].reverse(), FULL, ""),
    ("locks in another order", locks(0, lambda held: held.reverse()), {}, ""),
    ("the verdict", lambda r: r.update(verdict="race-free"), {}, "verdict: unknown → race-free"),
    ("a pair is gone", lambda r: r["races"].pop(1), {}, "pair gone: 'v20'"),
    ("a pair is new", lambda r: r["races"].append(a_race(70, "w")), {}, "pair new: 'w'"),
    ("a pair is listed twice", lambda r: r["races"].append(copy.deepcopy(r["races"][2])), {}, "pair new: 'v30'"),
    ("the file", access(file="b.c"), {}, "file a.c → b.c"),
    ("the line", access(line=99), {}, "line 10 → 99"),
    ("the column", access(column=9), {}, "column 3 → 9"),
    ("the kind", access(kind="free"), {}, "kind write → free"),
    ("the function", access(function="g"), {}, "function f10 → g"),
    ("the thread", access(thread="other"), {}, "thread main → other"),
    ("only the words for a thread", access(thread="main thread"), WORDS, ""),
    ("the parts of a thread", access(threads=OTHER_THREAD), WORDS, "thread "),
    ("the variable", race(variable="w"), {}, "variable 'v10' → 'w'"),
    ("a pair's verdict", race(verdict="confirmed"), {}, "verdict likely → confirmed, pair 'v10'"),
    ("one lock fewer", locks(0, lambda held: held.pop()), {}, "locks at a.c:10:3: {m, n} → {m}"),
    ("one lock more", locks(1, lambda held: held.append("m")), {}, "locks at a.c:11:3: {} → {m}"),
    ("atomic", access(atomic=True), {}, "atomic at a.c:10:3: False → True"),
    ("the order", lambda r: r["races"].append(r["races"].pop(0)), {}, "order: from place 1 to 3, pair 'v10'"),
    ("an id", race(id="other"), {}, "id id10 → other"),
    ("an id that may differ", race(id="other"), IDS, ""),
    ("a verdict beside ids that may differ", race(id="other", verdict="unlikely"), IDS, "verdict likely → unlikely"),
    ("one obstacle fewer", lambda r: r["obstacles"].pop(), {}, "obstacle gone: "),
    ("one obstacle more", lambda r: r["obstacles"].append({"where": "b", "what": "p"}), WORDS, "obstacle new: "),
    ("only the words of an obstacle", lambda r: r["obstacles"][0].update(what="p"), WORDS, ""),
    ("an assumption", lambda r: r["assumptions"].append("b"), {}, "assumption new: "),
    ("something also seen", lambda r: r["also_seen"].pop(), {}, "also seen gone: "),
    ("a schedule's file name", lambda r: r["also_seen"][0].update(schedule="s.1"), {}, ""),
    ("traces of a proof", lambda r: r.update(exhausted_traces=5), {}, "exhausted_traces: None → 5"),
    ("coverage", lambda r: r["coverage"].update(functions=5), {}, "coverage functions: 4 → 5"),
    ("a reason, asked for", race(reasons=[]), FULL, "other fields differ: reasons"),
    ("a stack, asked for", access(stack=[{}]), FULL, "other fields differ: stack"),
    ("a reason, not asked for", race(reasons=[]), {}, ""),
    ("a field is missing", lambda r: r["races"][0].pop("accesses"), {}, "a report has an unexpected form"),
]


def options(**flags):
    return argparse.Namespace(**{"ignore_ids": False, "ignore_words": False, "full": False, "explained": None, **flags})


def planted(folder):
    """(what was planted, expected beginnings of lines, lines told)."""
    for name, plant, flags, told in PLANTED:
        new = a_report()
        plant(new)
        (folder / "old.json").write_text(json.dumps(a_report()))
        (folder / "new.json").write_text(json.dumps(new))
        yield name, [told] if told else [], compare_files(folder / "old.json", folder / "new.json", options(**flags))


def in_folders(folder):
    """One report is equal, one differs as explained, one has no partner; one explanation explains nothing."""
    for side, verdict in (("old", "unknown"), ("new", "race")):
        (folder / side / "sub").mkdir(parents=True)
        (folder / side / "sub" / "same.json").write_text(json.dumps(a_report()))
        (folder / side / "other.json").write_text(json.dumps(a_report(verdict=verdict)))
    explained, lonely = folder / "explained.txt", folder / "new" / "lonely.json"
    explained.write_text("# why\no*.json :: verdict: unknown → race :: meant\nsub/* :: pair gone :: never\n")
    flags = options(old=folder / "old", new=folder / "new", explained=explained)
    for name, text, said in (("no partner", json.dumps(a_report()), "there is no old report"),
                             ("no JSON", "no JSON", "the new report cannot be read")):
        lonely.write_text(text)
        lines = []
        counts = compare(flags, lines.append)
        told = [f"lonely.json: {said}", "other.json: verdict: unknown → race [explained: meant]",
                "explains nothing: sub/*"]
        yield "folders, " + name, [*told, "(2, 2)"], [*lines, str(counts)]
        (folder / "old" / "lonely.json").write_text(json.dumps(a_report()))


def run():
    """(passed, failed)."""
    with tempfile.TemporaryDirectory() as name:
        results = [*planted(pathlib.Path(name)), *in_folders(pathlib.Path(name))]
    failed = 0
    for name, told, lines in results:
        if len(lines) != len(told) or not all(line.startswith(begin) for line, begin in zip(lines, told)):
            print(f"FAIL planted: {name}; expected {told}, told {lines}")
            failed += 1
    return len(results) - failed, failed
