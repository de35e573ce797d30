#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle capture` keeps in .heddle/: units that are current, that changed, that are damaged, that fail; captures
that are interrupted, that meet each other or a full disk. `heddle ir` of the captured project says whether it is still
the same.

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
from run import case_arguments, run_cases  # noqa: E402

CASES = []
INTERRUPTIONS = 12


def case(function):
    CASES.append(function)
    return function


def make_project(p, count=6):
    """count units: even ones include even.h, odd ones odd.h, all of them all.h; unit 0 has main and a thread-shared
    counter."""
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
    p.write("u2.c", "".join(f"#define A{i + 1} A{i} A{i}\n"
                            for i in range(26)) + "#define A0 int x;\nvoid f2(void) { A26 }\n")
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
    (p.folder / ".heddle/project.json").write_text('{"version": "3", "units": [')
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
    run = subprocess.run([p.heddle, "capture", "-j", "1"], cwd=p.folder, capture_output=True, text=True, check=False,
                         timeout=300,
                         preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                             resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))))
    assert run.returncode == 2 and "cannot be written" in run.stderr, (run.returncode, run.stdout, run.stderr)
    p.call("capture")
    counts(p, len(names), len(names), 0, 0)


@case
def two_captures_at_once(p):
    names = make_project(p, 40)
    runs = [subprocess.Popen([p.heddle, "capture", "-j", "1"], cwd=p.folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
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
        run = subprocess.Popen([p.heddle, "capture"], cwd=p.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True,
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
    for damage in ("", text[:50], text.replace('"version": "2"', '"version": "0"')):
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


def main():
    global INTERRUPTIONS  # noqa: PLW0603
    parser = case_arguments(__doc__)
    parser.add_argument("--interruptions", type=int, default=INTERRUPTIONS)
    arguments = parser.parse_args()
    INTERRUPTIONS = arguments.interruptions
    return run_cases(CASES, arguments, False)


if __name__ == "__main__":
    sys.exit(main())
