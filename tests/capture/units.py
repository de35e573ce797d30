#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle capture` keeps in .heddle/: units that are current, that changed, that are damaged, that fail; captures that
are interrupted, that meet each other or a full disk. `heddle ir` of the captured project says whether it is still the same.

--interruptions N: how often a capture is killed at a random moment (default 12). Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run import Skipped, case_arguments, run_cases  # noqa: E402

CASES = []
INTERRUPTIONS = 12


def case(function):
    CASES.append(function)
    return function


def make_project(p, count=6):
    """count units: even ones include even.h, odd ones odd.h, all of them all.h; unit 0 has main and a thread-shared counter."""
    p.write("all.h", "#include <pthread.h>\nextern int shared;\nstatic inline int twice(int x) { return 2 * x; }\n")
    p.write("even.h", '#include "all.h"\nstruct even { int a, b; };\n')
    p.write("odd.h", '#include "all.h"\nstruct odd { long c; };\n')
    for i in range(count):
        header = "odd" if i % 2 else "even"
        p.write(f"u{i}.c", f'#include "{header}.h"\nstatic struct {header} own;\n'
                           f"int f{i}(int x) {{ return twice(x) + (int)sizeof own + shared; }}\n")
    p.write("main.c", '#include "all.h"\nint shared;\nint main(void) { return shared; }\n')
    names = [f"u{i}.c" for i in range(count)] + ["main.c"]
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": f"cc -O2 -c {name}", "file": name} for name in names]))
    return names


def ir(p):
    p.call("ir")
    p.expect(0)
    return p.out


def counts(p, tried, parsed, unchanged, failed, code=0):
    units = "1 unit" if tried == 1 else f"{tried} units"
    p.expect(code, None, [f"{units}: {parsed} captured ({unchanged} unchanged), {failed} failed"])


@case
def an_unchanged_project_costs_no_compiler(p):
    names = make_project(p)
    p.call("capture")
    counts(p, len(names), len(names), 0, 0)
    first = ir(p)
    assert "f3" in first and "u3.c:3" in first, first[:300]
    p.call("capture")
    counts(p, len(names), len(names), len(names), 0)
    assert ir(p) == first


@case
def the_number_of_jobs_does_not_matter(p):
    make_project(p)
    p.call("capture", "-j", "1")
    one = ir(p)
    units = {path.name: path.read_bytes() for path in (p.folder / ".heddle/units").glob("*.unit")}
    shutil.rmtree(p.folder / ".heddle")
    p.call("capture", "-j", "4")
    assert ir(p) == one
    assert units == {path.name: path.read_bytes() for path in (p.folder / ".heddle/units").glob("*.unit")}


@case
def a_header_takes_exactly_its_dependents(p):
    names = make_project(p)
    p.call("capture")
    before = ir(p)
    p.write("odd.h", '#include "all.h"\nstruct odd { long c, d; };\n')
    p.call("capture")
    counts(p, len(names), len(names), len(names) - 3, 0)
    assert ir(p) != before
    os.utime(p.folder / "all.h")  # another time, the same content
    p.call("capture")
    counts(p, len(names), len(names), len(names), 0)
    p.write("all.h", (p.folder / "all.h").read_text() + "/* more */\n")
    p.call("capture")
    counts(p, len(names), len(names), 0, 0)


@case
def other_flags_make_another_unit(p):
    names = make_project(p)
    p.call("capture")
    text = (p.folder / "compile_commands.json").read_text()
    p.write("compile_commands.json", text.replace("cc -O2 -c u1.c", "cc -O2 -DX -c u1.c"))
    p.call("capture")
    counts(p, len(names), len(names), len(names) - 1, 0)


@case
def a_unit_that_fails_is_said_and_skipped(p):
    names = make_project(p)
    p.write("u2.c", "int f2(void) { return nowhere; }\n")
    p.call("capture")
    counts(p, len(names), len(names) - 1, 0, 1, 3)
    p.expect(3, None, ["u2.c:1:23: error: use of undeclared identifier 'nowhere'"])
    assert "@f1(" in ir(p) and "@f2(" not in ir(p)
    (p.folder / "u4.c").unlink()
    p.call("capture")
    counts(p, len(names), len(names) - 2, len(names) - 2, 2, 3)
    p.expect(3, None, ["u4.c: error: no such file"])


@case
def a_project_of_which_nothing_compiles_is_an_error(p):
    p.write("a.c", "int f(void) { return nowhere; }\n")
    p.write("compile_commands.json", json.dumps([{"directory": str(p.folder), "command": "cc -c a.c", "file": "a.c"}]))
    p.call("capture")
    p.expect_error("not one of 1 units", "use of undeclared identifier")
    p.call("ir")
    p.expect_error("has not one unit")


@case
def a_crashing_compiler_costs_one_unit(p):
    names = make_project(p)
    p.write("u2.c", "int f2(void) { return " + "(" * 60000 + "1" + ")" * 60000 + "; }\n")
    p.call("capture")
    counts(p, len(names), len(names) - 1, 0, 1, 3)


@case
def a_unit_that_takes_too_long_is_given_up(p):
    names = make_project(p)
    p.write("u2.c", "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(26)) + "#define A0 int x;\nvoid f2(void) { A26 }\n")
    p.call("capture", "--unit-seconds", "3")
    counts(p, len(names), len(names) - 1, 0, 1, 3)
    p.expect(3, None, ["u2.c: error: the process that compiled it took longer than 3 s"])


@case
def damaged_units_are_captured_again(p):
    make_project(p)
    p.call("capture")
    before = ir(p)
    units = sorted((p.folder / ".heddle/units").glob("*.unit"))
    whole = units[0].read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    for damage in (b"", whole[: len(whole) // 2], bytes(flipped), b"\x7fELF" + whole[4:], None):
        if damage is None:
            units[0].unlink()
        else:
            units[0].write_bytes(damage)
        shutil.rmtree(p.folder / ".heddle/linked")
        assert ir(p) == before
        assert "captured again" in p.err, p.err
        assert units[0].read_bytes() == whole
    (p.folder / ".heddle/project.json").write_text('{"version": "2", "units": [')
    p.call("ir")
    p.expect_error("project.json", "run 'heddle capture' again")
    for lists in (p.folder / ".heddle/units").glob("*.files"):
        lists.write_text("garbage\n")
    p.call("capture")
    counts(p, 7, 7, 0, 0)
    assert ir(p) == before


@case
def a_folder_that_cannot_be_used(p):
    make_project(p)
    p.write(".heddle", "a file")
    p.call("capture")
    p.expect_error(".heddle")
    (p.folder / ".heddle").unlink()
    (p.folder / ".heddle").mkdir()
    p.write(".heddle/units", "a file")
    p.call("capture")
    p.expect_error("units")


@case
def a_full_disk(p):
    """A limit on the size of files stands for it: writing fails in the same way."""
    names = make_project(p)
    run = subprocess.run([p.heddle, "capture", "-j", "1"], cwd=p.folder, capture_output=True, text=True, check=False, timeout=300,
                         preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                             resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))))
    assert run.returncode == 2 and "cannot be written" in run.stderr, (run.returncode, run.stdout, run.stderr)
    p.call("capture")
    counts(p, len(names), len(names), 0, 0)


@case
def two_captures_at_once(p):
    names = make_project(p, 40)
    runs = [subprocess.Popen([p.heddle, "capture", "-j", "1"], cwd=p.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)]
    answers = [run.communicate(timeout=300) for run in runs]
    codes = sorted(run.returncode for run in runs)
    assert codes in ([0, 2], [0, 0]), (codes, answers)
    if codes == [0, 2]:
        assert any("another heddle is capturing" in err for _, err in answers), answers
    p.call("capture")
    counts(p, len(names), len(names), len(names), 0)


@case
def a_source_that_changes_while_it_is_read(p):
    make_project(p, 12)
    quiet = threading.Event()

    def write():
        number = 0
        while not quiet.is_set():
            number += 1
            temporary = p.write("next.h", '#include "all.h"\nstruct even { int a, b, n%d; };\n' % number)
            os.replace(temporary, p.folder / "even.h")
            time.sleep(0.002)

    writer = threading.Thread(target=write)
    writer.start()
    p.call("capture")
    quiet.set()
    writer.join()
    assert p.run.returncode in (0, 3), p.err
    p.call("capture")
    p.expect(0)
    now = ir(p)
    shutil.rmtree(p.folder / ".heddle")
    p.call("capture")
    assert ir(p) == now


@case
def interruptions_lose_nothing(p):
    names = make_project(p, 30)
    p.call("capture")
    whole = ir(p)
    began = time.monotonic()
    shutil.rmtree(p.folder / ".heddle")
    p.call("capture")
    length = time.monotonic() - began
    dice = random.Random(1)
    for number in range(INTERRUPTIONS):
        if number % 5 == 0:
            shutil.rmtree(p.folder / ".heddle")
        run = subprocess.Popen([p.heddle, "capture"], cwd=p.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
        time.sleep(dice.uniform(0, length))
        stop = dice.choice([signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
        run.send_signal(stop)
        error = run.communicate(timeout=60)[1]
        if run.returncode == 3:
            assert "run the command again" in error, error
        else:
            assert run.returncode in (0, -stop), (run.returncode, error)
        time.sleep(0.05)  # the processes of a killed heddle die with it, a moment later
        p.call("capture")
        counts_line = [line for line in p.out.splitlines() if "captured" in line]
        assert p.run.returncode == 0 and f"{len(names)} captured" in counts_line[-1], (p.out, p.err)
        assert ir(p) == whole, f"after interruption {number}"


@case
def the_linked_program_is_kept(p):
    names = make_project(p)
    p.call("capture")
    before = ir(p)
    program, label = p.folder / ".heddle/linked/all.unit", p.folder / ".heddle/linked/all.json"
    whole, text = program.read_bytes(), label.read_text()
    units = sorted((p.folder / ".heddle/units").glob("*.unit"))
    flipped = bytearray(units[0].read_bytes())
    flipped[-1] ^= 1
    kept, _ = units[0].read_bytes(), units[0].write_bytes(flipped)
    assert ir(p) == before and p.err == "", "no unit is read while the linked program holds"
    units[0].write_bytes(kept)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    for damage in (b"", whole[: len(whole) // 2], bytes(flipped), b"\x7fELF" + whole[4:], kept, None):
        program.unlink() if damage is None else program.write_bytes(damage)
        assert ir(p) == before
        assert "note: linked again: " in p.err, p.err
        assert program.read_bytes() == whole and label.read_text() == text
    for damage in ("", text[:50], text.replace('"version": "1"', '"version": "0"')):
        label.write_text(damage)
        assert ir(p) == before
        assert "note: linked again: " in p.err, p.err
    label.unlink()
    assert ir(p) == before and p.err == ""
    p.write("u1.c", "int f1(int x) { return x; }\nint added;\n")
    p.call("capture")
    counts(p, len(names), len(names), len(names) - 1, 0)
    assert "@added" in ir(p) and p.err == ""
    changed = ir(p)
    shutil.rmtree(p.folder / ".heddle")
    p.call("capture")
    assert ir(p) == changed


@case
def a_linked_program_that_cannot_be_kept_is_no_error(p):
    make_project(p)
    p.call("capture")
    p.write(".heddle/linked", "a file, so that nothing can be written there")
    first = ir(p)
    assert "note: the linked program is not kept" in p.err, p.err
    (p.folder / ".heddle/linked").unlink()
    assert ir(p) == first and p.err == ""


THREADED = """#include <pthread.h>
int count;
int %s(void);
static void *run(void *p) { count = %s(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return count; }
"""


def report(p, *arguments):
    p.call("verify", "--format", "json", "-o", "report.json", *arguments)
    assert p.run.returncode in (0, 1, 3), p.err
    return json.loads((p.folder / "report.json").read_text())


@case
def every_result_says_what_was_captured(p):
    p.write("main.c", THREADED % ("f", "f"))
    p.write("f.c", "int f(void) { return 1; }\n")
    p.write("other.c", "int g(void) { return 2; }\n")
    p.write("low.s", ".text\n")
    p.write("build.sh", "cc -c main.c; cc -c f.c; cc -c other.c; cc -c low.s\n")
    p.call("capture", "--", "sh", "build.sh")
    counts(p, 3, 3, 0, 0)
    found = report(p)
    assert found["verdict"] == "race-free", found
    coverage = found["coverage"]
    assert (coverage["tried"], coverage["parsed"], coverage["failed"], coverage["skipped"]) == (3, 3, [], 1), coverage
    assert any("assembly" in note for note in coverage["project"]["notes"]), coverage
    p.call("verify")
    p.expect(0, None, ["read 3 of 3 units of the captured project (0 failed, 1 skipped), 3 in the program: "])
    p.write("other.c", "int g(void) { return nowhere; }\n")
    p.call("capture", "--", "sh", "build.sh")
    found = report(p)
    assert found["verdict"] == "unknown", "a unit is missing: nothing is proved"
    assert "other.c:1:22: error" in found["coverage"]["failed"][0], found["coverage"]
    assert any("a unit was not captured: other.c:1:22" in row["what"] for row in found["obstacles"]), found["obstacles"]
    p.call("verify")
    p.expect(3, None, ["read 2 of 3 units of the captured project (1 failed, 1 skipped)", "not read: other.c:1:22: error"])


def make_programs(p):
    """Two programs that share a library; both define `helper`, and the library has an object only one of them needs."""
    p.write("src/server.c", THREADED % ("helper", "helper") + "int helper(void) { extern int lib(void); return lib(); }\n")
    p.write("src/client.c", "int helper(void) { return 7; }\nint main(void) { return helper(); }\n")
    p.write("lib/lib.c", "int lib(void) { return 3; }\n")
    p.write("lib/unused.c", "int unused;\nint helper(void) { return 9; }\n")


@case
def a_program_is_chosen_by_what_the_build_linked(p):
    make_programs(p)
    p.write("build.sh", "set -e\ncd lib; cc -c lib.c; cc -c unused.c -o unused.o; ar rcs lib.a lib.o unused.o; cd ../src\n"
                        "cc -c server.c -o server.o; cc -pthread -o server server.o ../lib/lib.a; cc client.c -o client\n")
    p.call("capture", "--", "sh", "build.sh")
    counts(p, 4, 4, 0, 0)
    p.call("verify")
    p.expect_error("several programs", "--program NAME: src/client, src/server")
    for name in ("server", "src/server", str(p.folder / "src/server")):
        found = report(p, "--program", name)
        assert found["verdict"] == "race-free", found["obstacles"]
        assert found["coverage"]["project"]["program"] == "src/server", found["coverage"]
        assert found["coverage"]["project"]["linked"] == 2, "unused.c is in the library, and nothing needs it"
    p.call("ir", "--program", "client")
    assert "@helper(" in p.out and "@lib(" not in p.out, p.out
    p.call("ir", "--program", "server")
    assert "@lib(" in p.out and "unused" not in p.out, p.out
    p.call("verify", "--program", "nothing")
    p.expect_error("no program that is called so", "src/client, src/server")
    p.call("verify", "--program", "server", "src/server.c")
    p.expect_error("--program chooses from a captured project")
    p.write("lib/lib.c", "#ifdef __clang__\n#error only gcc\n#endif\nint lib(void) { return 3; }\n")
    p.call("capture", "--", "sh", "build.sh")
    assert report(p, "--program", "client")["obstacles"] == [], "what failed is not part of it"
    assert "lib.c" in str(report(p, "--program", "server")["obstacles"])


@case
def a_program_is_chosen_by_the_unit_of_its_main(p):
    make_programs(p)
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": f"cc -c {name}", "file": name} for name in ("src/server.c", "src/client.c", "lib/lib.c")]))
    p.call("capture")
    p.call("verify")
    p.expect_error("several programs", "--program NAME: src/server.c, src/client.c")
    for name in ("server", "server.c", "src/server.c"):
        found = report(p, "--program", name)
        assert found["verdict"] == "race-free" and found["coverage"]["project"]["linked"] == 2, found
    p.call("verify", "--program", "lib")
    p.expect_error("choose one of: src/server.c, src/client.c")
    p.write("src/second.c", "int lib(void) { return 4; }\n")
    commands = json.loads((p.folder / "compile_commands.json").read_text())
    p.write("compile_commands.json", json.dumps([*commands, {**commands[0], "command": "cc -c src/second.c", "file": "src/second.c"}]))
    p.call("capture")
    found = report(p, "--program", "server")
    assert found["verdict"] == "unknown" and "'lib' is defined in 2 units" in str(found["obstacles"]), found


@case
def bitcode_makes_units(p):
    if shutil.which("clang-19") is None:
        raise Skipped("clang-19")
    p.write("main.c", THREADED % ("f", "f"))
    p.write("f.c", "int f(void) { return 1; }\n")
    for name, flags in (("main", ["-c", "-o", "main.bc"]), ("f", ["-S", "-o", "f.ll"])):
        subprocess.run(["clang-19", "-O0", "-g", "-emit-llvm", *flags, f"{name}.c"], cwd=p.folder, check=True)
    p.call("verify", "main.bc", "f.ll")
    p.expect(0, None, ["read 2 of 2 files", "verdict: race-free"])
    p.call("capture", "main.bc", "f.ll")
    counts(p, 2, 2, 0, 0)
    assert report(p)["verdict"] == "race-free"
    p.call("capture", "main.bc", "f.ll")
    counts(p, 2, 2, 2, 0)
    whole = (p.folder / "main.bc").read_bytes()
    (p.folder / "main.bc").write_bytes(whole[: len(whole) // 2])
    p.call("capture", "main.bc", "f.ll")
    counts(p, 2, 1, 1, 1, 3)
    p.expect(3, None, ["main.bc: error: LLVM cannot read it", "make it again"])
    p.call("capture", "f.c")
    p.expect_error("is no .bc or .ll file", "heddle capture -- YOUR BUILD")
    p.call("capture", "nowhere.bc")
    p.expect_error("no such file")


@case
def damaged_bitcode_is_an_error(p):
    if shutil.which("clang-19") is None:
        raise Skipped("clang-19")
    p.write("main.c", THREADED % ("f", "f") + "int f(void) { return 1; }\n")
    subprocess.run(["clang-19", "-O0", "-g", "-emit-llvm", "-c", "main.c"], cwd=p.folder, check=True)
    whole = (p.folder / "main.bc").read_bytes()
    dice = random.Random(3)
    for number in range(40):
        flipped = bytearray(whole)
        for _ in range(1 + number % 3):
            flipped[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        (p.folder / "main.bc").write_bytes(flipped)
        p.call("verify", "main.bc", "--search-budget", "100000")
        assert p.run.returncode in (0, 1, 2, 3) and "bug in heddle" not in p.err, (number, p.run.returncode, p.err)
        if p.run.returncode == 2:
            assert "main.bc" in p.err or "main" in p.err, p.err


def main():
    global INTERRUPTIONS  # noqa: PLW0603
    parser = case_arguments(__doc__)
    parser.add_argument("--interruptions", type=int, default=INTERRUPTIONS)
    arguments = parser.parse_args()
    INTERRUPTIONS = arguments.interruptions
    return run_cases(CASES, arguments, False)


if __name__ == "__main__":
    sys.exit(main())
