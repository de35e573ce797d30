#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kept files that are damaged change no report, and none that is crafted crashes heddle or keeps it busy for ever.

  damaged_files.py --heddle build/release/heddle [--count 5000] [--crafted 2000] [--seed 1] [--only records]

Damage: bytes of one kept file are flipped, cut off, inserted or zeroed. What heddle then prints must be what it printed
before, or it says that it does not know. Crafted: the content is changed in the same ways and sealed with the user's
own key, which no project has; then heddle must end, with any answer. Ends with `N passed, M failed`.
"""
import argparse
import collections
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from cases import KEY_FILE
from seals import Key, without_seal

SOURCES = {
    "main.c": """#include <pthread.h>
#include "all.h"
static void *run(void *p) { add(p, 1); hits++; return p; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &first);
  add(&first, (long)(char)total(&first));
  hits = 2;
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
""",
    "list.c": """#include <pthread.h>
#include "all.h"
struct item first; int hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void add(struct item *it, int n) {
  pthread_mutex_lock(&lock);
  switch (n) { case 1: it->count++; break; case 2: it->next->count += n; break; default: it->count -= (short)n; }
  pthread_mutex_unlock(&lock);
}
int total(struct item *it) { int s = 0; for (; it; it = it->next) s += it->count; return s; }
""",
    "all.h": "struct item { struct item *next; int count; };\nextern struct item first; extern int hits;\n"
             "void add(struct item *, int); int total(struct item *);\n",
}
# What reads a kind of kept file; a star: the linked program is removed before, so that units are read.
READERS = {
    "project.json": ("scan", "verify", "capture"), "links.json": ("scan", "verify", "capture"),
    "commands.json": ("capture",), "commands.seal": ("capture",), "compilers.json": ("capture",),
    ".unit": ("*scan", "*verify", "scan", "capture"), ".files": ("verify", "capture", "scan"),
    "linked.unit": ("scan", "verify", "ir"), "linked.json": ("scan", "verify", "ir"),
    "records": ("scan", "scan --stats"), "last-report": ("explain ID",), ".bc.zst": ("capture",),
}


def kind_of(name):
    path = pathlib.PurePath(name)
    if path.parts[0] == "linked":
        return "linked" + path.suffix
    return next(kind for kind in READERS if path.name == kind or path.name.endswith(kind))


def changed(dice, data):
    """Flipped, cut, inserted, zeroed, or a piece of it twice."""
    data = bytearray(data)
    at = dice.randrange(len(data) + 1)
    size = dice.choice((1, 1, 2, 4, 8, 16, 64))
    way = dice.choice(("flip", "flip", "cut", "drop", "insert", "zero", "set", "repeat"))
    if way == "cut":
        del data[at:]
    elif way == "drop":
        del data[at:at + size]
    elif way == "insert":
        data[at:at] = dice.randbytes(size)
    elif way == "repeat":
        data[at:at] = data[at:at + size]
    elif way == "zero":
        data[at:at + size] = bytes(len(data[at:at + size]))
    elif way == "set":
        data[at:at + size] = dice.choice((b"\xff", b"\x7f", b"\x80", b"\x01", b"0", b"9")) * len(data[at:at + size])
    else:
        for _ in range(dice.choice((1, 1, 1, 3))):
            if data:
                data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


class Project:
    def __init__(self, heddle, folder):
        self.heddle, self.folder = heddle, pathlib.Path(folder) / "project"
        self.kept, self.whole = self.folder / ".heddle", pathlib.Path(folder) / "whole"
        self.folder.mkdir()
        for name, text in SOURCES.items():
            (self.folder / name).write_text(text)
        subprocess.run([heddle, "capture", "--", "cc", "main.c", "list.c", "-o", "prog"], cwd=self.folder, check=True,
                       capture_output=True, timeout=120)
        self.race = re.search(r"\[([0-9a-f]+)\]", self.run("scan")[1]).group(1)
        self.run("verify")
        self.run("scan")
        shutil.copytree(self.kept, self.whole)
        self.names = sorted(str(path.relative_to(self.whole)) for path in self.whole.rglob("*")
                            if path.is_file() and path.name != "lock")
        self.expected = {}
        for command in {reader for readers in READERS.values() for reader in readers}:
            self.restore(command)
            self.expected[command] = self.run(command)
        self.key = Key(KEY_FILE)

    def restore(self, command):
        shutil.rmtree(self.kept)
        shutil.copytree(self.whole, self.kept)
        if command.startswith("*"):
            shutil.rmtree(self.kept / "linked")

    def run(self, command):
        words = command.lstrip("*").replace("ID", getattr(self, "race", "")).split()
        done = subprocess.run([self.heddle, *words], cwd=self.folder, capture_output=True, timeout=60, check=False,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def crafted(self, name, content):
        """Writes it with the seals that it needs to be read."""
        path = self.kept / name
        file = self.key.seal(path.name, content)
        path.write_bytes(file)
        if path.name == "commands.json":
            path.write_bytes(content)
            text = "%016x%016x" % self.key.mac("commands.json", content)
            (self.kept / "commands.seal").write_bytes(self.key.seal("commands.seal", text.encode()))
        if path.parent.name == "linked" and path.suffix == ".unit":
            label = path.with_suffix(".json")
            text = without_seal(label.name, label.read_bytes())
            identity = "%016x%016x" % self.key.mac("unit", file[56:])
            text = re.sub(rb'"program": "[0-9a-f]*"', b'"program": "%s"' % identity.encode(), text)
            label.write_bytes(self.key.seal(label.name, text))


def without_counts(text):
    """How much of a capture was made again is no part of what it found."""
    return re.sub(r"\(\d+ unchanged\)", "", text)


def check(code, out, err, expected):
    """What is wrong with the answer to a damage; empty: it is the same, or says that it is none."""
    if code not in (0, 1, 2, 3) or "bug in heddle" in out + err:
        return "ended badly"
    if code == 2 and "error" in err and not out:
        return ""
    if without_counts(out) == without_counts(expected[1]):
        return ""
    if code == 3 and ("older than the sources" in out + err or "heddle capture" in out + err):
        return ""
    return "another answer"


def one_round(project, dice, name, is_crafted):
    command = dice.choice(READERS[kind_of(name)])
    project.restore(command)
    if not (project.kept / name).exists():
        return ""
    file = (project.whole / name).read_bytes()
    head = 56 if is_crafted and name.endswith(".unit") else 0  # the header is sealed again
    content = without_seal(name, file) if is_crafted and name != "commands.json" else file
    new = content[:head] + changed(dice, content[head:])
    if new == content:
        return ""
    if is_crafted:
        project.crafted(name, new)
    else:
        (project.kept / name).write_bytes(new)
    try:
        code, out, err = project.run(command)
    except subprocess.TimeoutExpired:
        return f"{command} does not end"
    if is_crafted:
        return "" if code in (0, 1, 2, 3) and "bug in heddle" not in out + err else f"{command}: {code}: {err}"
    what = check(code, out, err, project.expected[command])
    return what and f"{command}: {what}: {code}\n{out}{err}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/release/heddle")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--crafted", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", default="", help="a folder for what failed")
    arguments = parser.parse_args()
    failures = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        project = Project(str(pathlib.Path(arguments.heddle).resolve()), folder)
        names = [name for name in project.names if arguments.only in name]
        for number in range(arguments.count + arguments.crafted):
            is_crafted = number >= arguments.count
            dice = random.Random(f"{arguments.seed} {number}")
            name = names[number % len(names)]
            problem = one_round(project, dice, name, is_crafted)
            if not problem:
                continue
            failures["crafted" if is_crafted else "damaged"] += 1
            print(f"FAILED: {'crafted' if is_crafted else 'damaged'} {name}, round {number}: {problem}", flush=True)
            if arguments.keep:
                shutil.copytree(project.kept, pathlib.Path(arguments.keep) / str(number), dirs_exist_ok=True)
    total = arguments.count + arguments.crafted
    print(f"{total - failures.total()} passed, {failures.total()} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
