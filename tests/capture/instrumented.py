#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captured programs with hooks: linked as their own build linked them, they do what they did, and nothing is started
that the project brings along. Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run import Skipped, case_arguments, run_cases  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CASES = []
MAIN = """#include <stdio.h>
int f(int); int g;
int main(void) { g = 2; printf("%d\\n", f(g)); return 0; }
"""


def case(function):
    CASES.append(function)
    return function


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skipped(f"no {program}")


def runtime(p):
    """An archive whose hooks do nothing, made outside of the watched build."""
    stub = HERE.parent / "instrument" / "stub_runtime.c"
    made = p.folder.parent / (p.folder.name + ".stub.o")
    archive = p.folder.parent / (p.folder.name + ".stub.a")
    subprocess.run(["cc", "-O1", "-std=gnu11", "-fPIC", "-I", str(HERE.parents[1]), "-c", str(stub), "-o", str(made)],
                   check=True)
    subprocess.run(["ar", "rcs", str(archive), str(made)], check=True)
    made.unlink()
    return archive


def capture(p, script, env=None):
    p.write("build.sh", script)
    p.call("capture", "--", "sh", "-e", "build.sh", env=env)
    assert p.run.returncode == 0, p.out + p.err


def instrumented(p, *arguments, env=None):
    """(what the program with hooks prints, what heddle says of it)."""
    archive = runtime(p)
    p.call("instrument", "-o", "hooked", "--runtime", str(archive), *arguments, env=env)
    archive.unlink()
    assert p.run.returncode == 0, p.err
    done = subprocess.run([str(p.folder / "hooked/program")], capture_output=True, text=True, cwd=p.folder, timeout=60)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout, json.loads(p.out)


def rows(p):
    return [line.split("\t") for line in (p.folder / "hooked/accesses").read_text().splitlines()[1:]]


def symbols(p):
    return subprocess.run(["nm", str(p.folder / "hooked/program")], capture_output=True, text=True).stdout


@case
def objects_and_libraries(p):
    p.write("src/main.c", MAIN)
    p.write("src/f.c", "#include <math.h>\ndouble k = 2; int f(int n) { return (int)pow(n, k); }\n")
    capture(p, "cd src; cc -c main.c; cc -O2 -c f.c; cc -o ../prog main.o f.o -lm\n")
    printed, said = instrumented(p)
    assert printed == "4\n", printed
    assert said["units"] == 2 and said["reused"] == 0 and not said["unknown"], said
    assert {row[2] for row in rows(p)} == {"src/main.c", "src/f.c"}, "files are named from the project"
    assert instrumented(p)[1]["reused"] == 2
    p.write("src/f.c", "int k = 2; int f(int n) { return n + k + 1; }\n")
    p.call("capture", "--", "sh", "-e", "build.sh")
    printed, said = instrumented(p)
    assert printed == "5\n" and said["reused"] == 1, (printed, said)


@case
def archives_are_lazy_and_in_order(p):
    p.write("main.c", MAIN)
    p.write("f.c", "extern int k; int f(int n) { return n * k; }\n")
    p.write("k.c", "int k = 21;\n")
    p.write("bad.c", "int nowhere(void); int unused(void) { return nowhere(); }\n")
    p.write("first.c", "int k = 1;\n")
    capture(p, "for s in main f k bad first; do cc -c $s.c; done; mkdir lib; ar rcs lib/libf.a f.o bad.o k.o; "
               "ar rcs first.a first.o; cc main.o first.a -Llib -lf -o prog\n")
    assert instrumented(p)[0] == "42\n", "of two archives the one that is asked when it is needed counts"


@case
def whole_archives_and_groups(p):
    p.write("main.c", "#include <stdio.h>\nint count; int a(void); int main(void) { printf(\"%d %d\\n\", count, a()); }\n")
    p.write("begin.c", "extern int count; __attribute__((constructor)) static void begin(void) { count += 5; }\n")
    p.write("a.c", "int b(int); int a(void) { return b(1); }\n int c(int n) { return n + 1; }\n")
    p.write("b.c", "int c(int); int b(int n) { return n ? c(n) : 0; }\n")
    capture(p, "for s in main begin a b; do cc -c $s.c; done; ar rcs all.a begin.o; ar rcs a.a a.o; ar rcs b.a b.o; "
               "cc main.o -Wl,--whole-archive all.a -Wl,--no-whole-archive -Wl,--start-group,a.a,b.a,--end-group -o prog\n")
    assert instrumented(p)[0] == "5 2\n"


@case
def compiled_and_linked_at_once(p):
    p.write("main.c", MAIN)
    p.write("f.c", "#include <math.h>\ndouble k = 2; int f(int n) { return (int)pow(n, k); }\n")
    capture(p, "cc -O2 -MD -o prog main.c f.c -lm -pthread\n")
    (p.folder / "main.d").unlink(missing_ok=True)
    before = sorted(os.listdir(p.folder))
    assert instrumented(p)[0] == "4\n"
    assert sorted(os.listdir(p.folder)) == sorted([*before, "hooked"]), "nothing else is written"


@case
def what_was_not_captured_stays(p):
    p.write("main.c", "#include <stdio.h>\nint f(void), h(void), g; int main(void) { g = f(); printf(\"%d %d\\n\", g, h()); }\n")
    p.write("h.c", "extern int g; int h(void) { return g + 1; }\n")
    p.write("foreign.c", "int f(void) { return 7; }\n")
    subprocess.run(["cc", "-c", "foreign.c"], cwd=p.folder, check=True)
    capture(p, "cc -c main.c; cc -c h.c; ar rcs mixed.a h.o foreign.o; cc main.o mixed.a -o prog\n")
    printed, said = instrumented(p)
    assert printed == "7 8\n", printed
    assert said["units"] == 2, said
    assert "without hooks" in p.err and "mixed.a" in p.err, p.err


@case
def shared_libraries_stay(p):
    p.write("main.c", MAIN)
    p.write("f.c", "int f(int n) { return n * 10; }\n")
    capture(p, "cc -fPIC -c f.c; cc -shared -o libf.so f.o; cc -c main.c; cc main.o -L. -lf -Wl,-rpath,'$ORIGIN/..' -o prog\n")
    assert instrumented(p)[0] == "20\n"
    assert "shared libraries stay" in p.err, p.err


@case
def aliases_and_versions_between_units(p):
    p.write("main.c", "#include <stdio.h>\nint one(void), two(void), three(void); extern int v2;\n"
                      "int main(void) { v2 = 5; printf(\"%d %d %d\\n\", one(), two(), three()); }\n")
    p.write("f.c", "int v; extern int v2 __attribute__((alias(\"v\")));\n"
                   "int one(void) { return v; } int two(void) __attribute__((weak, alias(\"one\")));\n"
                   "static int real(void) { return 30; } static void *pick(void) { return (void *)real; }\n"
                   "int three(void) __attribute__((ifunc(\"pick\")));\n")
    capture(p, "cc -c main.c; cc -c f.c; cc main.o f.o -o prog\n")
    assert instrumented(p)[0] == "5 5 30\n"


@case
def kept_bitcode_is_as_the_analysis_saw_it(p):
    p.write("main.c", "#include <stdio.h>\nvoid keep(int *); int main(void) {\n  for (int i = 0; i < 3; i++) { int x = i; "
                      "keep(&x); }\n  puts(\"ok\");\n}\n")
    p.write("keep.c", "int *last; void keep(int *p) { last = p; }\n")
    capture(p, "cc -c main.c; cc -c keep.c; cc main.o keep.o -o prog\n")
    printed, said = instrumented(p)
    assert printed == "ok\n" and said["hooks"]["ends"] == 1, (printed, said)
    assert len([row for row in rows(p) if row[1] == "call-free"]) == 1, rows(p)


@case
def a_function_of_the_project_is_no_library_function(p):
    p.write("main.c", "#include <stdio.h>\nint strlen_calls; unsigned long my(void);\n"
                      "int main(void) { printf(\"%d\\n\", (int)my()); }\n")
    p.write("f.c", "void sem_post(int *); int x; unsigned long my(void) { sem_post(&x); return (unsigned long)x; }\n")
    p.write("s.c", "void sem_post(int *p) { *p = 9; }\n")
    capture(p, "cc -c main.c; cc -w -fno-builtin -c f.c; cc -w -fno-builtin -c s.c; cc main.o f.o s.o -o prog\n")
    printed, said = instrumented(p)
    assert printed == "9\n" and said["hooks"]["calls"] == 0, (printed, said)


@case
def several_programs(p):
    for name in ("one", "two"):
        p.write(f"{name}.c", f"#include <stdio.h>\nint g; int main(void) {{ g++; puts(\"{name}\"); }}\n")
    capture(p, "cc -c one.c; cc -c two.c; cc one.o -o bin_one; cc two.o -o bin_two\n")
    archive = runtime(p)
    p.call("instrument", "-o", "hooked", "--runtime", str(archive))
    p.expect(2, None, ["several programs", "bin_one, bin_two"])
    p.call("instrument", "-o", "hooked", "--runtime", str(archive), "--program", "bin_three")
    p.expect(2, None, ["no 'bin_three'"])
    assert instrumented(p, "--program", "bin_two")[0] == "two\n"


@case
def cxx_by_every_driver_and_linker(p):
    text = """#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
std::mutex m; int total;
int main() {
  std::thread a([] { std::lock_guard l(m); total += 1; }), b([] { std::lock_guard l(m); total += 2; });
  a.join(), b.join();
  try { throw std::runtime_error("thrown"); } catch (const std::exception& e) { std::cout << e.what() << total << "\\n"; }
}
"""
    tried = 0
    for number, (driver, flag) in enumerate((("g++", "-fuse-ld=bfd"), ("g++", "-fuse-ld=gold"), ("clang++-19", "-fuse-ld=lld"),
                                             ("clang++-19", ""), ("g++", "-no-pie"))):
        linker = flag[len("-fuse-ld="):] if flag.startswith("-fuse-ld=") else None
        if shutil.which(driver) is None or (linker and shutil.which({"lld": "ld.lld-19"}.get(linker, f"ld.{linker}")) is None):
            continue
        tried += 1
        p.write("main.cpp", text)
        # The driver finds ld.lld beside itself.
        capture(p, f"{driver} -O1 {flag if flag == '-no-pie' else ''} -c main.cpp\n{driver} {flag} -pthread main.o -o prog{number}\n")
        assert instrumented(p, "--program", f"prog{number}")[0] == "thrown3\n", (driver, flag)
        exported = subprocess.run(["nm", "-D", "--defined-only", str(p.folder / "hooked/program")], capture_output=True,
                                  text=True).stdout
        assert "__heddle1_write" in exported, (driver, flag, "shared libraries must find what the runtime defines")
        assert " total" not in exported, (driver, flag, "what the program did not export stays its own")
    assert tried > 1


@case
def flags_that_do_not_fit_are_left_out_and_told(p):
    p.write("main.c", MAIN)
    p.write("f.c", "int f(int n) { return n * 10; }\n")
    capture(p, "cc -O2 -c main.c; cc -O2 -c f.c; cc -s -static -Wl,-Map,prog.map main.o f.o -o prog\n")
    (p.folder / "prog.map").unlink()
    assert instrumented(p)[0] == "20\n"
    assert "linked without '-static'" in p.err, p.err
    assert not (p.folder / "prog.map").exists()
    assert "__heddle1_main" in symbols(p), "symbols stay"


@case
def nothing_of_the_project_is_started(p):
    p.write("main.c", MAIN)
    p.write("f.c", "int f(int n) { return n * 10; }\n")
    spy = f"#!/bin/sh\ntouch {p.folder}/started\nexec cc \"$@\"\n"
    p.write("tools/gcc", spy, executable=True)
    p.write("tools/ld", f"#!/bin/sh\ntouch {p.folder}/started\nexec ld \"$@\"\n", executable=True)
    capture(p, "./tools/gcc -c main.c; ./tools/gcc -c f.c; ./tools/gcc -B tools main.o f.o -o prog\n"
               f"{p.folder}/tools/gcc -B{p.folder}/tools/ main.o f.o -o absolute\n")
    for program in ("prog", "absolute"):
        (p.folder / "started").unlink(missing_ok=True)
        printed, _ = instrumented(p, "--program", program)
        assert printed == "20\n", printed
        assert not (p.folder / "started").exists(), "a compiler of the project was started"
    (p.folder / "tools/gcc").unlink()
    (p.folder / "tools/gcc").symlink_to(shutil.which("cc"))
    capture(p, "./tools/gcc -c main.c; ./tools/gcc -c f.c; ./tools/gcc main.o f.o -o prog\n")
    assert instrumented(p, "--program", "prog")[0] == "20\n"
    assert "the recorded './tools/gcc'" in p.err, p.err


@case
def a_path_into_the_project_is_not_followed(p):
    p.write("main.c", MAIN)
    p.write("f.c", "int f(int n) { return n * 10; }\n")
    p.write("bin/cc", f"#!/bin/sh\ntouch {p.folder}/started\nexec /usr/bin/cc \"$@\"\n", executable=True)
    path = f"{p.folder}/bin:{os.environ['PATH']}"
    capture(p, "cc -c main.c; cc -c f.c; cc main.o f.o -o prog\n", env={"PATH": path})
    (p.folder / "started").unlink()
    assert instrumented(p, env={"PATH": path})[0] == "20\n"
    assert not (p.folder / "started").exists()


@case
def objects_that_somebody_planted_are_not_linked(p):
    p.write("main.c", MAIN)
    p.write("f.c", "int f(int n) { return n * 10; }\n")
    p.write("evil.c", "int f(int n) { return 666; }\n")
    capture(p, "cc -c main.c; cc -c f.c; cc main.o f.o -o prog\n")
    assert instrumented(p)[0] == "20\n"
    subprocess.run(["cc", "-c", "evil.c"], cwd=p.folder, check=True)
    for kept in (p.folder / "hooked/objects").glob("*.o"):
        shutil.copy(p.folder / "evil.o", kept)
    printed, said = instrumented(p)
    assert printed == "20\n" and said["reused"] == 0, (printed, said)


@case
def a_project_without_link_steps_says_what_to_do(p):
    p.write("main.c", MAIN)
    p.write("compile_commands.json", json.dumps([{"directory": str(p.folder), "command": "cc -c main.c", "file": "main.c"}]))
    p.call("capture", "-p", "compile_commands.json")
    assert p.run.returncode == 0, p.err
    archive = runtime(p)
    p.call("instrument", "-o", "hooked", "--runtime", str(archive))
    archive.unlink()
    p.expect(2, None, ["capture its build"])


@case
def a_project_without_bitcode_says_what_to_do(p):
    p.write("main.c", "int g; int main(void) { return g; }\n")
    p.write("build.sh", "cc -c main.c; cc main.o -o prog\n")
    p.call("capture", "--no-bitcode", "--", "sh", "build.sh")
    archive = runtime(p)
    p.call("instrument", "-o", "hooked", "--runtime", str(archive))
    archive.unlink()
    p.expect(2, None, ["bitcode/"])


if __name__ == "__main__":
    sys.exit(run_cases(CASES, case_arguments(__doc__).parse_args(), False))
