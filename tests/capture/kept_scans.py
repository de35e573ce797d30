#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle scan` keeps in .heddle/summaries/ for the next scan: whatever becomes of it, every report is that of a
scan which keeps nothing. Changed sources, damaged, foreign and unwritable stores, a full disk, scans at the same time,
scans that are killed.

--kills N: how often a scan is killed at a random moment (default 5). Ends with `N passed, M failed`.
"""
import json
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run import case_arguments, run_cases  # noqa: E402

CASES = []
KILLS = 5
UNITS, FUNCTIONS = 12, 25
QUICK = ("--no-transactions",)  # the judge that takes longest, and knows nothing of what is kept


def case(function):
    CASES.append(function)
    return function


def unit(number, change=""):
    """Functions in a chain, each with a lock, some calls through a table, and a member of the shared struct."""
    lines = ['#include "all.h"', f"static struct item *own{number};"]
    for i in range(FUNCTIONS):
        callee = f"f{number}_{i - 1}(it->next, n - 1);" if i else "it->count++;"
        lines.append(f"void f{number}_{i}(struct item *it, int n) {{\n  pthread_mutex_lock(&it->lock);\n  it->data[{i % 8}] = n;\n"
                     f"  pthread_mutex_unlock(&it->lock);\n  if (n > {i}) own{number} = it;\n  {callee}\n"
                     f"  {change if i == 0 else ''} total += it->count;\n}}")
    above = f"f{number + 1}_{FUNCTIONS - 1}" if number + 1 < UNITS else f"f{number}_0"
    lines.append(f"void (*const table{number}[])(struct item *, int) = {{ f{number}_{FUNCTIONS - 1}, f{number}_2, {above} }};")
    lines.append(f"void run{number}(struct item *it, int n) {{ table{number}[n % 3](it, n); }}")
    return "\n".join(lines) + "\n"


def header(members="", more=""):
    declared = "".join(f"void run{i}(struct item *, int); void f{i}_{FUNCTIONS - 1}(struct item *, int);\n"
                       for i in range(UNITS))
    return ("#include <pthread.h>\nstruct item { pthread_mutex_t lock; int count; int data[8]; struct item *next; " + members +
            " };\nextern int total; extern struct item first;\n" + declared + more)


def make_project(p):
    p.write("all.h", header())
    for i in range(UNITS):
        p.write(f"u{i}.c", unit(i))
    calls = " ".join(f"run{i}(&first, total);" for i in range(UNITS))
    p.write("main.c", '#include "all.h"\nint total; struct item first = { .next = &first };\n'
            f"static void *work(void *arg) {{ {calls} return arg; }}\n"
            "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0); return total; }\n")
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": f"cc -O1 -c {name}", "file": name}
         for name in [f"u{i}.c" for i in range(UNITS)] + ["main.c"]]))
    capture(p)


def capture(p):
    p.call("capture")
    assert p.run.returncode == 0, p.err


def scan(p, *arguments, judges=QUICK):
    """The whole report."""
    p.call("scan", "--limit", "0", *judges, *arguments)
    assert p.run.returncode == 1, (p.run.returncode, p.err)
    assert "suspected races" in p.out, p.out
    return p.out


def plain(p, judges=QUICK):
    return scan(p, "--no-store", judges=judges)


def made(p, *arguments):
    """How many functions the last scan with --stats summarised."""
    scan(p, "--stats", *arguments)
    return int(re.search(r"summaries made: (\d+)", p.err).group(1))


def store(p):
    return p.folder / ".heddle/summaries"


def notes(p):
    return [line for line in p.err.splitlines() if line.startswith("heddle: note: ")]


@case
def the_second_scan_makes_nothing(p):
    make_project(p)
    expected = plain(p)
    assert not store(p).exists()
    assert scan(p) == expected and not notes(p), p.err
    assert scan(p) == expected and not notes(p), p.err
    assert made(p) == 0, p.err
    for jobs in ("1", "2", "3"):
        assert scan(p, "-j", jobs) == expected
        assert scan(p, "-j", jobs, "--stats") == expected
        assert plain(p) == expected
    assert scan(p, judges=()) == plain(p, judges=())
    everything = made(p, "--no-store")
    assert everything > UNITS * FUNCTIONS, everything
    # Other options are another question.
    p.call("scan", "--limit", "0", "--without", "function-tables")
    other = p.out
    p.call("scan", "--limit", "0", "--without", "function-tables", "--no-store")
    assert p.out == other
    assert scan(p) == expected


@case
def a_changed_function_is_made_again(p):
    make_project(p)
    scan(p)
    p.write("u3.c", unit(3, "it->count += 2;"))
    capture(p)
    assert scan(p) == plain(p)
    p.write("u3.c", unit(3, "it->count += 3;"))
    capture(p)
    assert made(p) == 1, p.err  # the constant is no caller's business
    assert scan(p) == plain(p)
    p.write("u3.c", unit(3, "first.next->count++;"))
    capture(p)
    changed = plain(p)
    assert made(p) > 0
    assert scan(p) == changed
    p.write("u3.c", unit(3, "it->count += 2;"))
    capture(p)
    assert made(p) == 0, p.err  # kept from before
    assert scan(p) == plain(p) != changed


@case
def a_changed_header_wakes_whom_it_concerns(p):
    make_project(p)
    scan(p)
    everything = made(p, "--no-store")
    p.write("all.h", header(more="struct unrelated { int x; }; static inline int twice(int x) { return 2 * x; }\n"))
    capture(p)
    assert made(p) == 0, p.err
    assert scan(p) == plain(p)
    p.write("all.h", header(members="long more;"))
    capture(p)
    assert made(p) < everything // 3, p.err
    assert scan(p) == plain(p)


@case
def damage_is_noticed_said_and_mended(p):
    make_project(p)
    expected = scan(p)
    dice = random.Random(1)
    records = store(p) / "records"
    kept = records.read_bytes()

    def flip():
        data = bytearray(kept)
        at = dice.randrange(len(data))
        data[at] ^= 1 << dice.randrange(8)
        records.write_bytes(data)

    # Whatever stands there, one byte may look like another: a line feed like a tabulator.
    damages = [flip] * 16 + [lambda: records.write_bytes(kept[:-1] + b"\t"), lambda: records.write_bytes(kept + b"1")]
    damages += [lambda size=size: records.write_bytes(kept[:size]) for size in (0, 1, 4096, 9000, -1)]
    damages += [lambda: records.write_bytes(b"SQLite format 3\0" * 999)]
    for number, damage in enumerate(damages):
        damage()
        assert scan(p) == expected, number
        assert len(notes(p)) == 1 and "made again" in notes(p)[0], (number, p.err)
        assert scan(p) == expected and not notes(p), (number, p.err)
        assert made(p) == 0, number
    records.unlink()
    assert scan(p) == expected and not notes(p), p.err


@case
def a_folder_that_cannot_be_written_costs_only_time(p):
    make_project(p)
    expected = plain(p)
    store(p).write_text("in the way\n")
    for _ in range(2):
        assert scan(p) == expected
        assert len(notes(p)) == 1 and "nothing is kept for the next scan" in notes(p)[0], p.err


@case
def a_full_disk_costs_only_time(p):
    make_project(p)
    expected = plain(p)
    run = subprocess.run([p.heddle, "scan", "--limit", "0", *QUICK], cwd=p.folder, capture_output=True, text=True, check=False,
                         preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                             resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))))
    assert run.returncode == 1 and run.stdout == expected, (run.returncode, run.stderr)
    assert "nothing is kept for the next scan" in run.stderr, run.stderr
    assert scan(p) == expected


@case
def scans_at_the_same_time(p):
    make_project(p)
    expected = plain(p)
    for start in (None, expected):  # an empty store, and one that is there
        if start is None:
            shutil.rmtree(store(p), ignore_errors=True)
        runs = [subprocess.Popen([p.heddle, "scan", "--limit", "0", *QUICK, *(["--stats"] if i % 2 else [])], cwd=p.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for i in range(4)]
        for run in runs:
            out, err = run.communicate(timeout=120)
            assert run.returncode == 1 and out == expected, (run.returncode, err)
            assert "heddle: note: " not in err, err
    assert scan(p) == expected and not notes(p), p.err


@case
def killed_scans_leave_nothing_wrong(p):
    make_project(p)
    sources = [unit(5), unit(5, "first.count++;")]
    expected, length = [], 0.0
    for source in sources:
        p.write("u5.c", source)
        capture(p)
        expected.append(plain(p))
        shutil.rmtree(store(p), ignore_errors=True)
        began = time.monotonic()
        scan(p)
        length = max(length, time.monotonic() - began)
    assert expected[0] != expected[1]
    dice = random.Random(2)
    for number in range(KILLS):
        which = number % 2
        p.write("u5.c", sources[which])
        capture(p)
        if number % 3 == 0:
            shutil.rmtree(store(p), ignore_errors=True)
        run = subprocess.Popen([p.heddle, "scan", "--stats", *QUICK], cwd=p.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0, length))
        run.send_signal(signal.SIGKILL)
        run.wait(timeout=60)
        assert scan(p) == expected[which], number
        assert all("linked again" in note for note in notes(p)), p.err
        assert scan(p) == expected[which] and not notes(p), (number, p.err)


def main():
    global KILLS  # noqa: PLW0603
    parser = case_arguments(__doc__)
    parser.add_argument("--kills", type=int, default=KILLS)
    arguments = parser.parse_args()
    KILLS = arguments.kills
    return run_cases(CASES, arguments, False)


if __name__ == "__main__":
    sys.exit(main())
