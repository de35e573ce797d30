#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle verify --witness` against the rules of the exchange format (docs/witnesses.md), as our own reader has them.

  witnesses.py --heddle build/release/heddle

Ends with 'N passed, M failed'.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile

PROGRAMS = ["tests/programs/inputs/equation_racy.c", "tests/programs/inputs/key_of_a_thread_racy.c",
            "tests/programs/locks/history_wait_racy.c", "tests/programs/locks/plain_mutex_safe.c"]
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
DATA_RACE = "CHECK( init(main()), LTL(G ! data-race) )"


class Wrong(Exception):
    pass


def parsed(lines, at, depth):
    """What YAML has at this depth, as far as the format uses it: maps, lists, quoted strings, numbers. And the line
    behind it."""
    if lines[at].lstrip().startswith("- "):
        out = []
        while at < len(lines) and indent(lines[at]) == depth and lines[at].lstrip().startswith("- "):
            rest = lines[at].lstrip()[2:]
            if rest.startswith('"') and rest.endswith('"'):
                out.append(scalar(rest))
                at += 1
                continue
            lines[at] = " " * (depth + 2) + rest
            value, at = parsed(lines, at, depth + 2)
            out.append(value)
        return out, at
    out = {}
    while at < len(lines) and indent(lines[at]) == depth and not lines[at].lstrip().startswith("- "):
        key, colon, rest = re.fullmatch(r'\s*("(?:[^"\\]|\\.)*"|\w+)(:)\s*(.*)', lines[at]).groups()
        key = scalar(key) if key.startswith('"') else key
        if key in out:
            raise Wrong(f"{key} comes twice")
        at += 1
        if rest:
            out[key] = scalar(rest)
        else:
            out[key], at = parsed(lines, at, indent(lines[at]))
    return out, at


def indent(line):
    return len(line) - len(line.lstrip())


def scalar(text):
    if text == "[]":
        return []
    if re.fullmatch(r"\d+", text):
        return int(text)
    if not re.fullmatch(r'"(?:[^"\\]|\\.)*"', text):
        raise Wrong(f"no value: {text}")
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def need(value, keys, optional=()):
    missing, more = set(keys) - set(value), set(value) - set(keys) - set(optional)
    if missing or more:
        raise Wrong(f"missing {sorted(missing)}, not allowed {sorted(more)}")


def check_metadata(metadata, path):
    need(metadata, ["format_version", "uuid", "creation_time", "producer", "task"])
    need(metadata["producer"], ["name", "version"], ["configuration", "command_line", "description"])
    task = metadata["task"]
    need(task, ["input_files", "input_file_hashes", "specification", "data_model", "language"])
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    if metadata["format_version"] != "2.2" or not UUID.fullmatch(metadata["uuid"]):
        raise Wrong("version or uuid")
    if not TIME.fullmatch(metadata["creation_time"]) or task["specification"] != DATA_RACE:
        raise Wrong("time or specification")
    if task["input_files"] != [path] or task["input_file_hashes"] != {path: digest}:
        raise Wrong("files")
    if task["data_model"] not in ("ILP32", "LP64") or task["language"] != "C":
        raise Wrong("data model or language")


def check_waypoint(waypoint, lines):
    kind = waypoint["type"]
    constraint = [] if kind == "target" else ["constraint"]
    need(waypoint, ["type", "action", "thread_id", "location"] + constraint)
    need(waypoint["location"], ["file_name", "line"], ["column", "function"])
    if waypoint["action"] != "follow" or not 1 <= waypoint["location"]["line"] <= lines:
        raise Wrong("action or line")
    if kind == "function_return":
        if waypoint["constraint"]["format"] != "acsl_expression":
            raise Wrong("format of a returned value")
        if not re.fullmatch(r"\\result == \d+", waypoint["constraint"]["value"]):
            raise Wrong("returned value")
    elif kind not in ("assumption", "target"):
        raise Wrong(f"type {kind}")


def check_violation(content, path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for segment in content:
        need(segment, ["segment"])
        for one in segment["segment"]:
            need(one, ["waypoint"])
            check_waypoint(one["waypoint"], len(lines))
    kinds = [[one["waypoint"]["type"] for one in segment["segment"]] for segment in content]
    if kinds[-1] != ["target", "target"] or any(len(k) != 1 or k == ["target"] for k in kinds[:-1]):
        raise Wrong(f"segments {kinds}")
    first, second = (one["waypoint"] for one in content[-1]["segment"])
    if first["thread_id"] == second["thread_id"]:
        raise Wrong("one thread")
    for target in (first, second):
        if "RACE!" not in lines[target["location"]["line"] - 1]:
            raise Wrong("a target is not where the program says that it races")
    return sum(kind == ["function_return"] for kind in kinds)


def check(heddle, path, folder):
    witness = os.path.join(folder, "witness.yml")
    call = [heddle, "verify", "--witness", witness, path]
    done = subprocess.run(call, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "86400"},
                          timeout=300, check=False)
    is_racy = path.endswith("_racy.c")
    if f"verdict: {'race' if is_racy else 'race-free'}" not in done.stdout.splitlines():
        raise Wrong("verdict: " + done.stdout[-200:])
    with open(witness, encoding="utf-8") as file:
        entries, end = parsed(file.read().splitlines(), 0, 0)
    if len(entries) != 1:
        raise Wrong("one entry is expected")
    need(entries[0], ["entry_type", "metadata", "content"])
    check_metadata(entries[0]["metadata"], path)
    if entries[0]["metadata"]["creation_time"] != "1970-01-02T00:00:00Z":
        raise Wrong("SOURCE_DATE_EPOCH")
    if entries[0]["entry_type"] != ("violation_sequence" if is_racy else "invariant_set"):
        raise Wrong("entry type")
    if not is_racy:
        return
    given = check_violation(entries[0]["content"], path)
    if "/inputs/" in path and given == 0:
        raise Wrong("the inputs are missing")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    options = parser.parse_args()
    failed = 0
    for path in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(options.heddle, path, folder)
            except (Wrong, KeyError, AttributeError, OSError) as wrong:
                failed += 1
                print(f"{path}: {wrong}")
    print(f"{len(PROGRAMS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
