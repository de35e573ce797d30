#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scanning a project again costs after a change, in processor time on one thread, as a Markdown table.

usage: rescan.py HEDDLE (memcached|redis)=SOURCES[,COMMANDS]…

SOURCES is the project's folder of sources, COMMANDS the commands.json of its capture (default:
SOURCES/.heddle/commands.json). The sources are copied, captured, scanned, changed, captured and scanned again. Each
report is compared with that of a scan which keeps nothing. `summaries` is what making, keeping and reading them takes
(the stages `summaries` and `store` of --stats).
"""
import argparse
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

DECLARATION = "\nint heddle_added(int);\n"
# What changes: file, text, its replacement; a text of None stands for the end of the file.
PROJECTS = {
    "memcached": {
        "program": None,
        "leaf": ("util.c", "    dst[d] = '\\0';\n    return true;",
                 "    dst[d] = '\\0';\n    dst[0] = src[0];\n    return true;"),
        "header, a declaration": ("memcached.h", None, DECLARATION),
        "header, a first member of struct conn": ("memcached.h", "struct conn {\n",
                                                  "struct conn {\n    int heddle_added;\n"),
    },
    "redis": {
        "program": "src/server.c",
        "leaf": ("src/util.c", "uint32_t digits10(uint64_t v) {\n    if (v < 10) return 1;",
                 "uint32_t digits10(uint64_t v) {\n    if (v < 11) return 1;"),
        "leaf that stores one pointer more": ("src/adlist.c", "void listRewind(list *list, listIter *li) {\n",
                                              "void listRewind(list *list, listIter *li) {\n    list->tail = list->head;\n"),
        "header, a declaration": ("src/server.h", None, DECLARATION),
        "header, a last member of struct client": ("src/server.h", "} client;", "    int heddle_added;\n} client;"),
    },
}


def run(command, cwd, codes=(0,)):
    """Output, and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr[:2000]}")
    return done.stdout, done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Rescan:
    def __init__(self, heddle, name, folder):
        self.heddle, self.name, self.folder, self.rows = heddle, name, folder, []
        program = PROJECTS[name]["program"]
        self.scan = [heddle, "scan", "-j1", "--limit", "0", *(["--program", program] if program else [])]

    def capture(self):
        run([self.heddle, "capture", "--no-bitcode", "-p", self.folder / "captured_commands.json"], self.folder)

    def measure(self, what):
        """One scan that keeps, compared with one that does not; the latter goes first, and links."""
        plain, _, _ = run([*self.scan, "--no-store"], self.folder, (0, 1))
        report, text, spent = run([*self.scan, "--stats"], self.folder, (0, 1))
        if report != plain:
            sys.exit(f"{self.name}, {what}: the report is another one without the store")
        self.add(what, text, spent)

    def add(self, what, text, spent):
        seconds = sum(float(s) for s in re.findall(r"^  (?:summaries|store): ([\d.]+) s,", text, re.MULTILINE))
        made = re.search(r"summaries made: (\d+)", text)
        if not self.rows:
            self.first = (spent, seconds)
        self.rows.append([self.name, what, made.group(1) if made else "", f"{seconds:.3f}" if made else "",
                          f"{100 * seconds / self.first[1]:.0f} %" if made else "", f"{spent:.2f}",
                          f"{100 * spent / self.first[0]:.0f} %"])
        print("| " + " | ".join(self.rows[-1]) + " |", flush=True)

    def change(self, file, old, new):
        path = self.folder / file
        text = path.read_text()
        if old is not None and text.count(old) != 1:
            sys.exit(f"{path}: '{old}' stands there {text.count(old)} times")
        path.write_text(text + new if old is None else text.replace(old, new))
        return lambda: path.write_text(text)

    def all(self):
        self.capture()
        self.measure("first scan")
        _, _, spent = run(self.scan, self.folder, (0, 1))
        self.add("nothing", "", spent)
        self.measure("nothing, but the report is made again")
        for what, change in PROJECTS[self.name].items():
            if what == "program":
                continue
            undo = self.change(*change)
            self.capture()
            self.measure(what)
            undo()
            self.capture()
            run(self.scan, self.folder, (0, 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heddle", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("projects", nargs="+", metavar="NAME=SOURCES[,COMMANDS]")
    options = parser.parse_args()
    print("| project | changed | summaries made | summaries s | of the first | whole scan s | of the first |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for project in options.projects:
        name, _, where = project.partition("=")
        sources, _, commands = where.partition(",")
        sources = pathlib.Path(sources).resolve()
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch).resolve() / sources.name
            shutil.copytree(sources, folder, symlinks=True, ignore=shutil.ignore_patterns(".heddle", ".git"))
            text = pathlib.Path(commands or sources / ".heddle/commands.json").read_text()
            (folder / "captured_commands.json").write_text(text.replace(str(sources), str(folder)))
            Rescan(options.heddle, name, folder).all()
    return 0


if __name__ == "__main__":
    sys.exit(main())
