#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flags of a project, of a command line and of a schedule make the clang inside of heddle write nothing.

  written_files.py --heddle build/release/heddle

Each case is a list of flags in which VICTIM stands for a file of the user. Three ways to hand them over: a
compile_commands.json for `heddle capture`, behind `--` of `heddle verify`, in a schedule for `heddle replay`. The file
must stay as it is, and nothing may appear in any folder but `.heddle`. Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import subprocess
import sys

from cases import heddle_and_choice, run_cases

PROGRAM = """#include <pthread.h>
#warning to be logged
int x;
static void *run(void *p) { x = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = 2; return 0; }
"""

CASES = {
    "log": ["-Xclang", "-diagnostic-log-file", "-Xclang", "VICTIM"],
    "log by -Wp": ["-Wp,-diagnostic-log-file,VICTIM"],
    "log by -Xpreprocessor": ["-Xpreprocessor", "-diagnostic-log-file", "-Xpreprocessor", "VICTIM"],
    "log by -Xclang=": ["-Xclang=-diagnostic-log-file", "-Xclang=VICTIM"],
    "log by -Xarch": ["-Xarch_host", "-Wp,-diagnostic-log-file,VICTIM"],
    "statistics": ["-Xclang", "-stats-file=VICTIM"],
    "statistics by -Wp": ["-Wp,-stats-file=VICTIM"],
    "statistics behind a harmless one": ["-Wp,-DX=1,-stats-file=VICTIM"],
    "statistics, appended": ["-Xclang", "-stats-file=VICTIM", "-Xclang", "-stats-file-append"],
    "value of another": ["-Xclang", "-include", "-Xclang", "stddef.h", "-Xclang", "-stats-file=VICTIM"],
    "database fragment": ["-MJ", "VICTIM"],
    "database fragment, joined": ["-MJVICTIM"],
    "database fragment by -Xarch": ["-Xarch_host", "-MJVICTIM"],
    "database folder": ["-gen-cdb-fragment-path", "FOLDER"],
    "database folder, two dashes": ["--gen-cdb-fragment-path", "FOLDER"],
    "configuration file": ["--config=CONFIG"],
    "configuration file, apart": ["--config", "CONFIG"],
    "configuration folder": ["--config-user-dir=FOLDER", "--config=clang.cfg"],
    "dependencies": ["-MD", "-MF", "VICTIM"],
    "dependencies by -Wp": ["-Wp,-MD,VICTIM"],
    "dependencies by -Wp, apart": ["-Wp,-MMD", "-Wp,-MF,VICTIM"],
    "dependencies by -Xclang": ["-Xclang", "-dependency-file", "-Xclang", "VICTIM"],
    "picture of dependencies": ["-Xclang", "-dependency-dot", "-Xclang", "VICTIM"],
    "folder of dependencies": ["-Xclang", "-module-dependency-dir", "-Xclang", "FOLDER"],
    "headers": ["-Xclang", "-header-include-file", "-Xclang", "VICTIM", "-H"],
    "headers, by the driver": ["-H", "-Wp,-header-include-file,VICTIM"],
    "diagnostics": ["--serialize-diagnostics", "VICTIM"],
    "diagnostics by -Xclang": ["-Xclang", "-serialize-diagnostic-file", "-Xclang", "VICTIM"],
    "remarks": ["-Xclang", "-opt-record-file", "-Xclang", "VICTIM"],
    "remarks, by the driver": ["-fsave-optimization-record", "-foptimization-record-file=VICTIM", "-O2"],
    "output": ["-o", "VICTIM"],
    "output by -Xclang": ["-Xclang", "-o", "-Xclang", "VICTIM"],
    "precompiled header": ["-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", "VICTIM"],
    "module cache": ["-fmodules", "-fimplicit-modules", "-fmodules-cache-path=FOLDER", "-fmodule-map-file=MAP"],
    "module output": ["-fmodule-output=VICTIM"],
    "time trace": ["-ftime-trace=VICTIM", "-ftime-trace-granularity=0"],
    "process report": ["-fproc-stat-report=VICTIM"],
    "stack usage": ["-fstack-usage", "-Xclang", "-stack-usage-file", "-Xclang", "VICTIM"],
    "coverage": ["--coverage", "-Xclang", "-coverage-notes-file=VICTIM"],
    "debug information": ["-gsplit-dwarf", "-Xclang", "-split-dwarf-output", "-Xclang", "VICTIM"],
    "LLVM": ["-mllvm", "-info-output-file=VICTIM", "-mllvm", "-stats"],
    "LLVM by -Xclang": ["-Xclang", "-mllvm", "-Xclang", "-info-output-file=VICTIM"],
    "temporaries": ["-save-temps=obj"],
    "temporaries here": ["-save-temps"],
    "crash folder": ["-fcrash-diagnostics-dir=FOLDER", "-fcrash-diagnostics=all"],
    "another driver": ["--driver-mode=cl", "/FoVICTIM"],
    "plug-in": ["-Xclang", "-load", "-Xclang", "PLUGIN"],
    "plug-in, by the driver": ["-fplugin=PLUGIN"],
    "plug-in of passes": ["-fpass-plugin=PLUGIN"],
    "plug-in of passes by -Xclang": ["-Xclang", "-fpass-plugin=PLUGIN"],
    "response file": ["@RESPONSE"],
}


class Place:
    """A folder with a program, a file of the user, and what cases refer to."""

    def __init__(self, folder, flags):
        self.folder = pathlib.Path(folder)
        self.victim = self.folder / "home/authorized_keys"
        self.others = self.folder / "others"
        for made in (self.victim.parent, self.others, self.folder / "project"):
            made.mkdir(parents=True)
        self.victim.write_text("key of the user\n")
        (self.folder / "project/a.c").write_text(PROGRAM)
        (self.folder / "config.cfg").write_text(f"-MJ {self.victim}\n-Wp,-diagnostic-log-file,{self.victim}\n")
        (self.others / "clang.cfg").write_text(f"-MJ {self.victim}\n")
        (self.folder / "response.rsp").write_text(f"-Xclang -stats-file={self.victim} -MJ {self.victim}\n")
        (self.folder / "module.map").write_text("module M { header \"m.h\" }\n")
        (self.folder / "m.h").write_text("int m;\n")
        names = {"VICTIM": self.victim, "FOLDER": self.others, "CONFIG": self.folder / "config.cfg",
                 "RESPONSE": self.folder / "response.rsp", "MAP": self.folder / "module.map",
                 "PLUGIN": self.folder / "plugin.so"}
        self.flags = flags
        for name, path in names.items():
            self.flags = [flag.replace(name, str(path)) for flag in self.flags]

    def files(self):
        out = {}
        for path in sorted(self.folder.rglob("*")):
            if ".heddle" not in path.parts and path.is_file():
                out[str(path.relative_to(self.folder))] = path.read_bytes()
        return out


def run(heddle, place, *arguments):
    done = subprocess.run([heddle, *arguments], cwd=place.folder / "project", capture_output=True, timeout=120,
                          check=False, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(place.others)})
    text = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode in (0, 1, 2, 3) and "bug in heddle" not in text, f"exit code {done.returncode}\n{text}"
    return text


def captured(heddle, place):
    command = {"directory": str(place.folder / "project"), "file": "a.c",
               "arguments": ["cc", *place.flags, "-c", "a.c"]}
    (place.folder / "project/compile_commands.json").write_text(json.dumps([command]))
    before = place.files()
    run(heddle, place, "capture")
    return before


def verified(heddle, place):
    before = place.files()
    run(heddle, place, "verify", "a.c", "--", *place.flags)
    return before


def replayed(heddle, place):
    run(heddle, place, "verify", "a.c", "--schedule", "s.schedule")
    schedule = place.folder / "project/s.schedule"
    lines = schedule.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("source"))
    schedule.write_text("\n".join(lines[:at] + [f"flag {flag}" for flag in place.flags] + lines[at:]) + "\n")
    before = place.files()
    text = run(heddle, place, "replay", "s.schedule")
    assert "unknown line" not in text, text
    return before


def check(heddle, folder, flags, way):
    place = Place(folder, flags)
    before = way(heddle, place)
    after = place.files()
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    assert not changed, f"changed: {changed}"


def main():
    heddle, only = heddle_and_choice(__doc__)
    cases = [(f"{name}, {way.__name__}", lambda folder, flags=flags, way=way: check(heddle, folder, flags, way))
             for name, flags in CASES.items() for way in (captured, verified, replayed)]
    return run_cases(cases, only)


if __name__ == "__main__":
    sys.exit(main())
