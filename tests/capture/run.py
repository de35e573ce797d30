#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`heddle capture` on small builds of every kind, and on builds and databases that are wrong.

Each case makes a project in a fresh folder, captures it and compares the units in .heddle/commands.json, as
`source [defines]`, with the expected ones. Tools that are not installed are skipped, and said. Ends with
`N passed, M failed`.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MAIN = "int main(void) { return 0; }\n"
UNIT = "int {0};\n"
CASES = []


def case(function):
    CASES.append(function)
    return function


class Project:
    """A folder with files, and heddle run in it."""

    def __init__(self, heddle, folder, commands_only):
        self.heddle, self.folder, self.run = heddle, pathlib.Path(folder), None
        self.commands_only = commands_only  # what becomes of them is for units.py

    def write(self, name, text=None, executable=False):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = UNIT.format(path.stem) if text is None else text
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        if executable:
            path.chmod(0o755)
        return path

    def call(self, *arguments, env=None, cwd=None):
        if arguments[:1] == ("capture",) and self.commands_only:
            arguments = ("capture", "--commands-only", *arguments[1:])
        self.run = subprocess.run([self.heddle, *arguments], cwd=cwd or self.folder, capture_output=True, timeout=300,
                                  check=False, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL)
        self.out, self.err = (text.decode(errors="replace") for text in (self.run.stdout, self.run.stderr))
        return self.run.returncode

    def commands(self):
        return json.loads((self.folder / ".heddle/commands.json").read_text())

    def units(self):
        found = []
        for command in self.commands():
            path = os.path.relpath(os.path.normpath(os.path.join(command["directory"], command["file"])), self.folder)
            found.append(" ".join([path, *[word for word in command["arguments"] if word.startswith("-D")]]))
        return sorted(found)

    def expect(self, code, units=None, says=()):
        text = self.out + self.err
        assert self.run.returncode == code, f"exit code {self.run.returncode} instead of {code}\n{text}"
        for words in says:
            assert words in text, f"'{words}' is not said\n{text}"
        if units is not None:
            assert self.units() == sorted(units), f"units {self.units()}\n{text}"
            left = [name for name in os.listdir(self.folder / ".heddle") if name not in ("commands.json", "commands.seal", "links.json")]
            assert not left, f"left behind in .heddle: {left}"

    def expect_error(self, *says):
        self.expect(2, None, says)
        assert "heddle: error: " in self.err, self.err
        assert "bug in heddle" not in self.err, self.err


class Skipped(Exception):
    pass


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skipped(f"{program} is not installed")


def shell(project, script, *arguments, **more):
    return project.call("capture", *arguments, "--", "sh", "-c", script, **more)


# Builds.

@case
def make_with_two_jobs(p):
    need("make")
    for name in ("a.c", "b.c", "sub/c.c"):
        p.write(name)
    p.write("main.c", MAIN)
    p.write("Makefile", "CFLAGS = -DTOP='\"a b\"'\nall: prog\nprog: a.o b.o main.o sub/c.o\n\t$(CC) $^ -o $@\n"
                        "sub/c.o:\n\t$(MAKE) -C sub c.o CFLAGS=-DSUB\n")
    p.call("capture", "--", "make", "-j2")
    p.expect(0, ['a.c -DTOP="a b"', 'b.c -DTOP="a b"', 'main.c -DTOP="a b"', "sub/c.c -DSUB"],
             ["1 × calls that only link"])
    assert (p.folder / "prog").exists()


@case
def loops_in_sub_shells(p):
    for name in ("a.c", "b.c", "d/c.c"):
        p.write(name)
    shell(p, "for f in a b; do (exec cc -D$f -c $f.c); done; (cd d && sh -c 'cc -c c.c &' ; wait; sleep 0.2)")
    p.expect(0, ["a.c -Da", "b.c -Db", "d/c.c"])


@case
def compiler_by_absolute_and_relative_path(p):
    p.write("a.c")
    os.symlink(shutil.which("cc"), p.folder / "my-gcc-12")
    shell(p, f"{shutil.which('cc')} -DA -c a.c; ./my-gcc-12 -DB -c a.c; env -i {shutil.which('cc')} -DC -c a.c")
    p.expect(0, ["a.c -DA", "a.c -DB"], ["1 source is compiled more than once"])  # env -i also takes the watching away


@case
def other_ways_to_start_a_program(p):
    p.write("a.c")
    p.write("b.c")
    p.write("go.py", "import os, subprocess\nsubprocess.run(['cc', '-c', 'a.c'], check=True)\n"
                     "os.waitpid(os.posix_spawn('/bin/sh', ['sh', '-c', 'cc -c b.c'], os.environ), 0)\n")
    p.call("capture", "--", sys.executable, "go.py")
    p.expect(0, ["a.c", "b.c"])


@case
def several_sources_in_one_call(p):
    p.write("a.c")
    p.write("b.c")
    p.write("m.c", MAIN)
    p.write("s.S", "/* nothing */\n")
    shell(p, "cc -DX a.c b.c m.c s.S -o prog && cc -c a.c b.c && cc a.o b.o -shared -o l.so")
    p.expect(0, ["a.c", "a.c -DX", "b.c", "b.c -DX", "m.c -DX"], ["1 × calls that only link"])


@case
def what_is_no_compilation_is_left_out(p):
    p.write("a.c")
    p.write("conftest.c")
    p.write("lost.c")
    p.write("s.s", "")
    p.write("h.h", "")
    shell(p, "cc --version; cc -E a.c; cc -S a.c; cc -M a.c; cc -c conftest.c; cc -c lost.c; rm lost.c; cc -c s.s; "
             "cc -x c-header h.h -o h.h.gch; echo 'int x;' | cc -x c -c - -o x.o; cc -c a.c; cc -c a.c")
    p.expect(0, ["a.c"], ["2 × calls that only preprocess", "1 × calls that only make assembly", "2 × configure checks",
                          "1 × sources that the build made and removed", "1 × assembly files",
                          "1 × precompiled headers",
                          "1 × questions to the compiler", "1 × repeated commands"])


@case
def ccache_hit_and_miss(p):
    need("ccache")
    p.write("a.c")
    p.write("b.c")
    os.symlink(shutil.which("ccache"), p.folder / "gcc")
    env = {"CCACHE_DIR": str(p.folder / "cache")}
    script = "ccache cc -DX -c a.c; ccache cc -DX -c a.c -o a2.o; PATH=$PWD:$PATH gcc -c b.c"
    shell(p, script, env=env)
    p.expect(0, ["a.c -DX", "a.c -DX", "b.c"])
    shell(p, script, env=env)
    p.expect(0, ["a.c -DX", "a.c -DX", "b.c"])
    assert all("ccache" not in command["arguments"][0] for command in p.commands())


@case
def cmake_with_ninja(p):
    need("cmake", "ninja")
    p.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(p C CXX)\ninclude(CheckIncludeFile)\n"
                              "check_include_file(stdio.h HAS)\nadd_executable(prog main.c x.cpp)\n"
                              "target_compile_definitions(prog PRIVATE NAME=\"a b\")\n")
    p.write("main.c", MAIN)
    p.write("x.cpp")
    shell(p, "cmake -G Ninja -B build . && cmake --build build")
    p.expect(0, ["main.c -DNAME=\"a b\"", "x.cpp -DNAME=\"a b\""], ["configure checks"])
    shell(p, "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON . && rm -rf .heddle && ninja -C build -t clean && ninja -C build")
    watched = p.units()
    p.call("capture")
    p.expect(0, watched, ["build/compile_commands.json"])
    shell(p, "ninja -C build -t compdb > all.json")
    p.call("capture", "-p", "all.json")
    p.expect(0, watched)


@case
def configure_script(p):
    need("make")
    p.write("configure", """#!/bin/sh
for h in stdio.h nowhere.h; do
  echo "#include <$h>" > conftest.c
  if cc -c conftest.c 2>/dev/null; then echo "$h: yes"; fi
  rm -f conftest.*
done
echo 'all: a.o' > Makefile
""", executable=True)
    p.write("a.c")
    shell(p, "./configure && make")
    p.expect(0, ["a.c"], ["2 × configure checks"])


@case
def meson(p):
    need("meson", "ninja")
    p.write("meson.build", "project('p', 'c')\nexecutable('prog', 'main.c', c_args: '-DX')\n")
    p.write("main.c", MAIN)
    shell(p, "meson setup build && ninja -C build")
    p.expect(0)
    assert [unit.split()[0] for unit in p.units()] == ["main.c"], p.units()


@case
def response_files_that_are_removed(p):
    p.write("a.c")
    shell(p, "echo \"-DX='a b' -c\" > f.rsp; cc @f.rsp a.c; rm f.rsp")
    p.expect(0, ["a.c -DX=a b"])


@case
def arguments_keep_their_bytes(p):
    p.write("a.c")
    name = os.fsencode(p.folder) + b"/caf\xe9 $x.c"
    with open(name, "w", encoding="ascii") as file:
        file.write("int y;\n")
    many = " ".join(f"-DN{i}=123456789" for i in range(3000))  # longer than any pipe buffer
    shell(p, f"cc {many} -c a.c; cc -c caf*.c -o c.o")
    p.expect(0, None)
    commands = p.commands()
    assert len(commands[0]["arguments"]) == 3003, len(commands[0]["arguments"])
    assert commands[1]["file"].encode("utf-8", "surrogateescape") == b"caf\xe9 $x.c", commands[1]["file"]
    p.call("capture", "-p", ".heddle/commands.json")
    p.expect(0, None)
    assert p.commands() == commands


@case
def many_at_once(p):
    for i in range(40):
        p.write(f"u{i}.c")
    shell(p, "for i in $(seq 0 39); do cc -c u$i.c & done; wait")
    p.expect(0, [f"u{i}.c" for i in range(40)])


@case
def other_names_of_compilers(p):
    p.write("a.c")
    os.symlink(shutil.which("cc"), p.folder / "frobnicator")
    shell(p, "./frobnicator -c a.c")
    p.expect_error("started no compiler that heddle saw", "--compiler")
    shell(p, "./frobnicator -c a.c", "--compiler", "frobnicator")
    p.expect(0, ["a.c"])
    p.write("heddle.toml", "[capture]\ncompilers = ['frobnicator']\nbuild = ['./frobnicator', '-DT', '-c', 'a.c']\n")
    p.call("capture")
    p.expect_error("./frobnicator -DT -c a.c", "--trust")
    p.call("capture", "--trust")
    p.expect(0, ["a.c -DT"])
    shell(p, "true", "--append", "--trust")
    p.expect(0, ["a.c -DT"])


@case
def the_build_runs_as_without_us(p):
    p.write("a.c")
    script = ("echo out; echo err >&2; cc -c a.c -o new.o; cmp new.o old.o && echo same; "
              "echo \"preload=$LD_PRELOAD\"; cat; exit 5")
    subprocess.run(["cc", "-c", "a.c", "-o", "old.o"], cwd=p.folder, check=True)
    shell(p, script, env={"LD_PRELOAD": "/nowhere/libuser.so"})
    p.expect(5, ["a.c"], ["out\n", "err\n", "same\n", "preload=/nowhere/libuser.so:",
                          "the build failed (exit status 5)", "1 command recorded"])


@case
def the_build_fails_or_is_killed(p):
    p.write("a.c")
    p.write("bad.c", "int x = ;\n")
    shell(p, "cc -c a.c; cc -c bad.c")
    p.expect(1, ["a.c", "bad.c"], ["the build failed"])
    shell(p, "cc -c a.c; kill -9 $$")
    p.expect(137, ["a.c"])


@case
def appended_captures(p):
    p.write("a.c")
    p.write("b.c")
    shell(p, "cc -c a.c; cc -c b.c")
    shell(p, "cc -DNEW -c b.c", "--append")
    p.expect(0, ["a.c", "b.c -DNEW"], ["kept from earlier captures: 1 command"])
    shell(p, "true", "--append")
    p.expect(0, ["a.c", "b.c -DNEW"])
    shell(p, "true")
    p.expect_error("started no compiler")


@case
def builds_that_compile_only_what_changed(p):
    for name in ["a.c", "b.c", "gone.c"]:
        p.write(name)
    shell(p, "cc -c a.c; cc -c b.c; cc -c gone.c; ar rcs a.a a.o; ar rcs all.a a.a b.o gone.o")
    p.expect(0, ["a.c", "b.c", "gone.c"])
    shell(p, "cc -DNEW -c b.c; ar rcs all.a a.a b.o")
    p.expect(0, ["a.c", "b.c -DNEW"], ["kept from earlier captures: 1 command"])
    shell(p, "cc -DNEW -c b.c; ar rcs all.a a.a b.o", "--fresh")
    p.expect(0, ["b.c -DNEW"])


@case
def database_file_too(p):
    p.write("a.c")
    shell(p, "cc -c a.c", "--database", "db.json")
    p.expect(0, ["a.c"])
    assert json.loads((p.folder / "db.json").read_text()) == p.commands()


# Recording without objects.

@case
def recording_compiler(p):
    need("make")
    p.write("a.c", "#error this is never compiled\n")
    p.write("b.c", "int b;\n")
    p.write("Makefile", f"CC = {p.heddle} cc\nall: version a.o b.o p.i\nversion:\n\t$(CC) -dumpmachine\n"
                        "%.o: %.c\n\t$(CC) -DX -Wp,-MMD,$*.d -c $< -o $@\n\tgrep '^$@: $<' $*.d\np.i:\n\t$(CC) -E b.c -o $@\n"
                        "\t$(CC) -Werror -c -x c /dev/null -o probe.o\n\t! $(CC) -Werror -fno-such-flag -c -x c /dev/null -o probe.o\n")
    p.call("capture", "--", "make", "-k", env={"HEDDLE_CC": "gcc" if shutil.which("gcc") else "cc"})
    p.expect(0, ["a.c -DX", "b.c -DX"])
    assert (p.folder / "a.o").read_bytes()[:4] == b"\x7fELF"
    assert "int b;" in (p.folder / "p.i").read_text()


@case
def recording_keeps_objects_of_an_earlier_build(p):
    """What a build links before it goes on (the vdso of a kernel) was built before; a later build sees how old it
    is."""
    p.write("m.c", MAIN)
    p.write("a.c", "int a;\n")
    subprocess.run(["cc", "-c", "m.c", "-o", "m.o"], cwd=p.folder, check=True)
    before = (p.folder / "m.o").read_bytes(), (p.folder / "m.o").stat().st_mtime_ns
    shell(p, "cc -DX -c m.c -o m.o; cc -DX -c a.c -o a.o; cc m.o a.o -o prog && ./prog", "--record")
    p.expect(0, ["m.c -DX", "a.c -DX"])
    assert before == ((p.folder / "m.o").read_bytes(), (p.folder / "m.o").stat().st_mtime_ns)
    # An object that a recording left is none of an earlier build.
    os.utime(p.folder / "a.o", (1, 1))
    shell(p, "cc -DX -c a.c -o a.o", "--record")
    assert (p.folder / "a.o").stat().st_mtime > 1


@case
def recording_by_preload(p):
    need("make")
    p.write("a.c", "#error this is never compiled\n")
    p.write("m.c", MAIN)
    p.write("Makefile", "all: a.o m.o\n%.o: %.c\n\tcc -DX -MMD -c $< -o $@\n")
    p.call("capture", "--record", "--", "make", "-k", "-j2")
    p.expect(0, ["a.c -DX", "m.c -DX"])
    assert (p.folder / "a.o").read_bytes()[:4] == b"\x7fELF"
    assert (p.folder / "m.d").read_text() == "m.o: m.c\n"
    shell(p, "cc -c m.c -o m.o; cc m.c -o prog && ./prog", "--record")
    p.expect(0, ["m.c", "m.c"])


# Databases.

def database(p, text, *arguments):
    p.write("compile_commands.json", text)
    return p.call("capture", *arguments)


@case
def malformed_databases(p):
    for text, says in [("", "is empty"), ("[]", "holds no C or C++"), ("{}", "1:1: expected '['"),
                       ("[\n{\"file\": 1,}]", "2:12: expected a string"),
                       (bytes(range(256)) * 1000, "compile_commands.json:1:1"),
                       (b"\x00" * 5000, "1:1"), ("[" * 100000, "nested"), ("[1, 2, 3]", "nothing to capture"),
                       ("[{\"directory\": \"/\", \"command\": \"frob -c a.c\", \"file\": \"a.c\"}]", "--compiler")]:
        database(p, text)
        p.expect_error(says)


@case
def unreadable_places(p):
    p.call("capture", "-p", "nowhere")
    p.expect_error("nowhere")
    (p.folder / "dir").mkdir()
    p.call("capture", "-p", "dir")
    p.expect_error("no compile_commands.json in 'dir'")
    p.call("capture", "-p", "dir", "--", "make")
    p.expect_error("exclude each other")
    p.call("capture", "--", "/nowhere/make")
    p.expect_error("/nowhere/make")
    p.call("capture", "--record")
    p.expect_error("--record")
    shutil.rmtree(p.folder / ".heddle")
    p.write(".heddle", "a file")
    p.call("capture", "--", "true")
    p.expect_error(".heddle")
    if os.geteuid() != 0:
        (p.folder / ".heddle").unlink()
        (p.folder / "dir").chmod(0)
        p.call("capture", "-p", "dir")
        p.expect_error("dir")
        (p.folder / "dir").chmod(0o755)


@case
def a_large_database(p):
    flags = " ".join(f"-I/some/long/folder/number/{i}" for i in range(100))
    entry = '{{"directory": "/p", "command": "gcc {0} -c f{1}.c -o f{1}.o", "file": "f{1}.c"}}'
    with open(p.folder / "compile_commands.json", "w", encoding="ascii") as file:
        file.write("[" + ",\n".join(entry.format(flags, i % 15000) for i in range(17000)) + "]")
    assert (p.folder / "compile_commands.json").stat().st_size > 50_000_000
    p.call("capture")
    p.expect(0, None, ["15000 compile commands", "2000 × repeated commands"])


# Commands around it.

@case
def doctor(p):
    p.call("doctor")
    assert "missing" in p.out and "watching builds: a started program is seen" in p.out, p.out
    p.write("a.c")
    p.write("db.json", json.dumps([{"directory": str(p.folder), "command": "cc -fipa-pta -c a.c", "file": "a.c"},
                                   {"directory": str(p.folder), "command": "/no/gcc -c b.c", "file": "b.c"}]))
    p.call("doctor", "-p", "db.json")
    p.expect(2, None, ["db.json: 2", "1 are not there, for example", "'/no/gcc' is not here",
                       "1 commands have flags"])


@case
def init(p):
    p.write("meson.build", "project('p', 'c')\n")
    p.call("init")
    p.expect(0, None, ["found meson.build (meson)", "meson setup build", "heddle capture"])
    text = (p.folder / "heddle.toml").read_text()
    assert 'build = ["ninja", "-C", "build"]' in text, text
    p.call("init")
    p.expect(0, None, ["stays as it is"])
    assert (p.folder / "heddle.toml").read_text() == text
    (p.folder / "heddle.toml").unlink()
    p.write("build/compile_commands.json", json.dumps([{"directory": str(p.folder), "command": "cc -c a.c",
                                                        "file": "a.c"}]))
    p.call("init")
    p.expect(0, None, ["found build/compile_commands.json"])
    p.call("capture")
    p.expect(0, ["a.c"])
    p.call("init", "nowhere")
    p.expect_error("nowhere")


def run_cases(cases, arguments, commands_only):
    heddle = str(pathlib.Path(arguments.heddle).resolve())
    passed = failed = 0
    for function in cases:
        if arguments.only and arguments.only not in function.__name__:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(Project(heddle, os.path.realpath(folder), commands_only))
                passed += 1
            except Skipped as why:
                print(f"skipped: {function.__name__}: {why}")
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"FAILED: {function.__name__}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def case_arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--only", help="only cases whose name contains this")
    return parser


if __name__ == "__main__":
    sys.exit(run_cases(CASES, case_arguments(__doc__).parse_args(), True))
