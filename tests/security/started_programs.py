#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nothing that a project brings along is started unless the user asked for it.

  started_programs.py --heddle build/release/heddle

Each case makes a project that names a program of its own, which leaves a file `ran` when it is started, in some place
where heddle might believe it, and runs commands there. Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

from cases import main_of

MAIN = "int main(void) { return 0; }\n"
CASES = []


def case(function):
    CASES.append(function)
    return function


class Project:
    def __init__(self, heddle, folder):
        self.heddle = heddle
        self.room = pathlib.Path(folder)
        self.folder = self.room / "project"
        self.folder.mkdir()
        self.ran = self.room / "ran"
        self.write("a.c", MAIN)

    def write(self, name, text, executable=False):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if executable:
            path.chmod(0o755)
        return path

    def evil(self, name):
        return self.write(name, f"#!/bin/sh\necho ran >> {self.ran}\nexec cc \"$@\"\n", True)

    def database(self, *arguments, name="compile_commands.json", **more):
        row = {"directory": str(self.folder), "file": "a.c", "arguments": [*arguments, "-c", "a.c"], **more}
        self.write(name, json.dumps([row]))

    def call(self, *arguments, env=None, cwd=None):
        done = subprocess.run([self.heddle, *arguments], cwd=cwd or self.folder, capture_output=True, timeout=120,
                              check=False, stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        self.text = (done.stdout + done.stderr).decode(errors="replace")
        assert "bug in heddle" not in self.text, self.text
        return done.returncode

    def stays(self):
        assert not self.ran.exists(), "the project's program was started\n" + self.text

    def everything(self):
        for command in (["capture"], ["capture", "--print-clang"], ["doctor", "-p", "."], ["scan"], ["verify"],
                        ["ir"], ["explain", "x"], ["check"], ["init"]):
            self.call(*command)
            self.stays()


def named(*words):
    """A case of a database that names a compiler of the project."""
    def run(p):
        p.evil("gcc")
        p.evil("bin/gcc")
        p.evil("tools/deep/x86_64-linux-gnu-gcc-12")
        p.database(*[word.replace("HERE", str(p.folder)) for word in words])
        p.everything()
    run.__name__ = "named " + " ".join(words)
    CASES.append(run)


for name in (["./gcc"], ["bin/gcc"], ["HERE/gcc"], ["HERE/bin/../gcc"], ["./bin/.././gcc"], ["../project/gcc"],
             ["./tools/deep/x86_64-linux-gnu-gcc-12"], ["sh", "-c", "./gcc -c a.c"], ["env", "X=1", "./gcc"],
             ["ccache", "./gcc"], ["./gcc", "-m32"], ["nice", "./bin/gcc"]):
    named(*name)


@case
def another_place_than_the_project(p):
    p.write("../elsewhere/gcc", f"#!/bin/sh\necho ran >> {p.ran}\n", True)
    p.database(str(p.room / "elsewhere/gcc"))
    p.everything()
    assert "allows it" in p.text or p.call("capture") == 0 and "--query-driver" in p.text, p.text


@case
def a_link_in_the_project(p):
    p.write("../elsewhere/real", f"#!/bin/sh\necho ran >> {p.ran}\n", True)
    os.symlink(p.room / "elsewhere/real", p.folder / "gcc")
    p.database("./gcc")
    p.everything()


@case
def a_relative_folder_of_path(p):
    p.evil("gcc-13")
    p.database("gcc-13")
    for path in (".:", "", "./:", "bin:../project:"):
        p.call("capture", env={"PATH": path + os.environ["PATH"]})
        p.stays()


@case
def a_folder_for_gccs_own_parts(p):
    p.evil("parts/cc1")
    for flags in (["-B", "parts/"], ["-Bparts/"], ["-B", str(p.folder / "parts") + "/"], ["-B" + str(p.folder / "parts")]):
        p.database("gcc", *flags)
        p.everything()


@case
def specs(p):
    program = p.evil("evil.sh")
    p.write("s.specs", f"*trad_capable_cpp:\n{program}\n\n*cpp_options:\n\n*invoke_as:\n\n")
    for flags in (["-specs=s.specs"], ["--specs=s.specs"], ["-specs", "s.specs"], ["@r.rsp"]):
        p.write("r.rsp", "-specs=s.specs\n")
        p.database("gcc", *flags)
        p.everything()


@case
def compilers_of_the_configuration(p):
    p.evil("evil.sh")
    p.write("heddle.toml", '[capture]\ncompilers = ["evil.sh"]\n')
    p.database("./evil.sh")
    p.everything()
    assert p.call("capture") == 2 and "--trust" in p.text, p.text
    p.call("capture", "--trust")
    p.stays()


@case
def build_of_the_configuration(p):
    p.evil("evil.sh")
    p.write("heddle.toml", '[capture]\nbuild = ["./evil.sh", "-c", "a.c"]\n')
    p.everything()
    assert p.call("capture") == 2 and "--trust" in p.text and "./evil.sh" in p.text, p.text
    p.call("capture", "--trust")
    assert p.ran.exists(), "that is what --trust is for"


@case
def command_of_the_configuration(p):
    p.write("a.c", f'#include <stdio.h>\nint main(void) {{ fclose(fopen("{p.ran}", "w")); return 0; }}\n')
    p.write("heddle.toml", '[run]\ncommand = "./prog"\n')
    assert p.call("capture", "--", "cc", "a.c", "-o", "prog") == 0, p.text
    for command in (["scan"], ["verify"], ["check"], ["check", "a.c"], ["explain", "x"], ["doctor", "-p", "."]):
        p.call(*command)
        p.stays()
    p.write("heddle.toml", '[run]\ncommand = "./evil.sh ./prog"\n')
    p.evil("evil.sh")
    assert p.call("check", "--run") == 2 and "linked no './evil.sh'" in p.text, p.text
    p.stays()
    p.write("heddle.toml", '[run]\ncommand = "./prog"\n')
    p.call("check", "--run")
    assert p.ran.exists(), "that is what --run is for"


@case
def database_of_the_configuration(p):
    p.evil("gcc")
    p.database("./gcc", name="x.json")
    p.write("heddle.toml", '[capture]\ndatabase = "x.json"\n')
    p.everything()
    p.call("capture", "--trust")
    p.stays()


@case
def a_planted_capture(p):
    p.evil("gcc")
    p.database("cc")
    assert p.call("capture") == 0, p.text
    commands = p.folder / ".heddle/commands.json"
    commands.write_text(commands.read_text().replace('"cc"', '"./gcc"'))
    (p.folder / "compile_commands.json").unlink()
    for unit in (p.folder / ".heddle/units").glob("*.unit"):
        unit.write_bytes(b"damaged")
    for file in (p.folder / ".heddle").glob("compilers.json"):
        file.unlink()
    p.everything()


@case
def asked_for_by_the_user(p):
    p.evil("gcc")
    p.database("./gcc")
    p.call("capture", "--query-driver", str(p.folder / "gcc"))
    assert p.ran.exists(), "the user allowed it"
    p.ran.unlink()
    shutil.rmtree(p.folder / ".heddle")
    p.call("capture", "--query-driver", str(p.folder) + "/*")
    assert p.ran.exists(), "the user allowed it"


@case
def a_build_that_was_watched_has_run_it_itself(p):
    p.evil("gcc")
    assert p.call("capture", "--", "./gcc", "-c", "a.c") == 0, p.text
    assert p.ran.exists()
    assert "is not run" not in p.text, p.text


@case
def configuration_of_another_user(p):
    if os.geteuid() != 0:
        return
    p.evil("gcc")
    inner = p.folder / "inner"
    inner.mkdir()
    (inner / "a.c").write_text(MAIN)
    os.chown(p.write("heddle.toml", '[capture]\nbuild = ["../gcc", "-c", "a.c"]\n'), 65534, 65534)
    p.call("capture", cwd=inner)
    assert "belongs to another user" in p.text, p.text
    p.stays()
    os.unlink(p.folder / "heddle.toml")
    p.database("./gcc")
    os.chown(p.folder / "compile_commands.json", 65534, 65534)
    assert p.call("capture", cwd=inner) == 2 and "belongs to another user" in p.text, p.text
    p.stays()


if __name__ == "__main__":
    sys.exit(main_of(__doc__, CASES, Project))
