#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a captured project is worth to `heddle verify`: which of its programs is meant, what was captured of it, units
made of bitcode. Ends with `N passed, M failed`.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run import Skipped, case_arguments, run_cases  # noqa: E402
from units import counts  # noqa: E402

CASES = []


def case(function):
    CASES.append(function)
    return function


THREADED = """#include <pthread.h>
int count;
int %s(void);
static void *run(void *p) { count = %s(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return count; }
"""


RACY = """#include <pthread.h>
int count;
static void *run(void *p) { count = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); count = 2; pthread_join(t, 0); return 0; }
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
    p.expect(0, None, ["read 3 of 3 units (1 skipped), 3 in the program: "])
    p.write("other.c", "int g(void) { return nowhere; }\n")
    p.call("capture", "--", "sh", "build.sh")
    found = report(p)
    assert found["verdict"] == "unknown", "a unit is missing: nothing is proved"
    assert "other.c:1:22: error" in found["coverage"]["failed"][0], found["coverage"]
    assert any("a unit was not captured: other.c:1:22" in row["what"] for row in found["obstacles"]), found["obstacles"]
    p.call("verify")
    p.expect(3, None, ["read 2 of 3 units (1 failed, 1 skipped)",
                       "not read: other.c:1:22: error"])


@case
def an_unfinished_build_is_no_clean_bill(p):
    p.write("main.c", "int f(void);\nint main(void) { return f(); }\n")
    p.write("f.c", THREADED.replace("int main(", "int f(").replace("int %s(void);\n", "").replace("%s()", "1"))
    p.write("build.sh", "cc -c main.c; test -e ready && cc -c f.c && cc main.o f.o -o program -lpthread\n")
    p.call("capture", "--", "sh", "build.sh")
    p.expect(1, None, ["the build failed (exit status 1)"])
    p.call("scan")
    p.expect(3, None, ["not looked at: the build that was captured failed (exit status 1)",
                       "0 suspected races", "exit code 3"])
    p.write("ready", "")
    p.write("build.sh", "cc -c f.c && cc main.o f.o -o program -lpthread\n")
    p.call("capture", "--", "sh", "build.sh")
    counts(p, 2, 2, 1, 0)
    p.call("scan")
    p.expect(0, None, ["read 2 of 2 units", "2 threads: main, run", "0 suspected races"])
    p.write("main.c", "int f(void);\nint main(void) { return f() + 1; }\n")
    p.call("capture")
    counts(p, 2, 2, 1, 0)


@case
def a_race_of_the_last_report_is_explained(p):
    p.write("main.c", '''#include <pthread.h>
pthread_mutex_t m;
int hits;
static void count(void) { hits++; }
static void safely(void) { pthread_mutex_lock(&m); hits++; hits += 2; pthread_mutex_unlock(&m); }
static void *run(void *p) { count(); safely(); return p; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, run, 0); return 0; }
''')
    p.write("build.sh", "cc -c main.c\n")
    p.call("capture", "--", "sh", "build.sh")
    p.call("explain", "00")
    p.expect_error("heddle scan", "--report FILE")
    p.call("scan", "--format", "json", "-o", "report.json")
    races = json.loads((p.folder / "report.json").read_text())["races"]
    mixed = [race for race in races if {a["function"] for a in race["accesses"]} == {"count", "safely"}]
    assert mixed and mixed[0]["guard"]["lock"] == "m", races
    p.call("explain", mixed[0]["id"][:10])
    p.expect(0, None, ["data race on 'hits'", "4 | static void count(void) { hits++; }",
                       "called from\n    run at main.c:6",
                       "holds 'm', taken in safely at main.c:5", "holds no lock", "run is started more than once",
                       "hold 'm'\n  these do not\n", "write in count at main.c:4",
                       "both sides are instances of one thread",
                       "heddle: ignore, REASON", f"race:^id:{mixed[0]['id']}$", "in all: place"])
    p.write("one.supp", f"race:^id:{mixed[0]['id']}$\n")
    p.call("scan", "--suppressions", "one.supp")
    p.expect(1, None, ["1 more are suppressed"])
    p.call("explain", mixed[0]["id"], "--report", "report.json")
    p.expect(0, None, ["data race on 'hits'"])
    p.call("verify", "--format", "json", "-o", "report.json")
    assert p.run.returncode == 1, p.out
    found = json.loads((p.folder / "report.json").read_text())["races"][0]
    p.call("explain", found["id"])
    p.expect(0, None, ["confirmed", "a schedule of"])
    last = p.folder / ".heddle/last-report"
    whole = last.read_bytes()
    last.write_bytes(whole[:len(whole) // 2])
    p.call("explain", found["id"])
    p.expect_error("is not believed", "heddle scan")
    last.write_bytes(b"heddle report of another\n" + whole)
    p.call("explain", found["id"])
    p.expect_error("is damaged", "heddle scan")


@case
def a_project_is_found_from_its_sub_folders(p):
    p.write("src/deep/main.c", RACY)
    p.call("capture", "--", "cc", "-pthread", "src/deep/main.c", "-o", "prog")
    p.call("scan", cwd=p.folder / "src/deep")
    p.expect(1, None, ["1 suspected race", "deep/main.c:"])
    race = p.out.split("[", 1)[1].split("]")[0]
    p.call("explain", race, cwd=p.folder / "src")
    p.expect(0, None, ["main.c:"])
    p.call("verify", "--race", race, cwd=p.folder / "src")
    p.expect(1, None, ["verdict of race " + race])
    p.call("explain", race)  # what was asked of one race is not the last report
    p.expect(0)


@case
def a_failed_build_is_quoted(p):
    p.write("a.c", "int a;\n")
    p.write("b.c", '#include "missing_header.h"\n')
    script = "cc -c a.c; echo building b; cc -c b.c || { echo 'make: *** [b.o] Error 1' >&2; exit 2; }"
    p.call("capture", "--", "sh", "-c", script)
    text = p.out + p.err
    assert "building b" in p.out and "make: *** [b.o] Error 1" in p.err, text
    last = [line for line in text.splitlines() if "the build failed" in line]
    assert last and "its last error: b.c:1:10: fatal error: missing_header.h" in last[0].replace("'", ""), text


@case
def filters_narrow_what_is_shown(p):
    p.write("main.c", '''#include <pthread.h>
int hits, misses;
static void *count(void *p) { hits++; return p; }
static void *miss(void *p) { misses++; return p; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, count, 0);
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, miss, 0);
  return 0;
}
''')
    p.call("scan", "main.c")
    p.expect(1, None, ["likely hits", "likely misses", "3 threads: main, ", "count×n", "the same, in another thread"])
    for filters in (["--variable", "miss"], ["--thread", "miss"], ["--file", "*.c", "--variable", "*ses"]):
        p.call("scan", "main.c", *filters)
        p.expect(1, None, ["likely misses", "showing 2 of 4 races"])
        assert "likely hits" not in p.out, p.out
    p.call("scan", "main.c", "--variable", "miss", "--format", "json")
    found = json.loads(p.out)
    assert {race["variable"] for race in found["races"]} == {"misses"} and found["filtered_out"] == 2, found
    p.call("scan", "main.c", "--variable", "miss", "--format", "sarif")
    assert "hits" not in p.out and "misses" in p.out, p.out
    for command in ("scan", "check"):
        p.call(command, "main.c", "--file", "other.c")
        p.expect(0, None, ["showing 0 of"])  # what is left out makes no exit code 1
    p.call("scan", "main.c", "--only", "confirmed")
    p.expect(0, None, ["showing 0 of 4 races"])
    p.call("check", "main.c", "--only", "confirmed")
    p.expect(1, None, ["confirmed"])
    p.call("verify", "main.c", "--file", "other.c")
    p.expect(1, None, ["showing 0 of", "verdict: race"])  # of the whole program, whatever is shown
    p.call("scan", "main.c", "--limit", "1")
    p.expect(1, None, ["and 1 more variable: 1 likely"])
    p.call("scan", "main.c", "--color", "always")
    assert "\033[" in p.out, p.out
    p.call("scan", "main.c")
    assert "\033[" not in p.out, p.out
    p.call("scan", "main.c", "--details")
    p.expect(1, None, ["main.c:3:35: warning: data race on 'hits'"])


@case
def heddle_describes_itself(p):
    p.call("help", "scan")
    text = p.out
    p.call("scan", "--help")
    assert text == p.out and "--limit" in text, text
    p.call("help")
    p.expect(0, None, ["verify", "scan", "Exit codes"])
    p.call("complete-words")
    p.expect(0, None, ["verify\nscan\n"])
    p.call("complete-words", "scan", "--color")
    assert p.out == "auto\nalways\nnever\n", p.out
    p.call("complete-words", "verify")
    assert "--limit\n" in p.out and "--no-static" not in p.out, p.out
    p.call("man-page", "verify")
    p.expect(0, None, [".TH heddle-verify 1", "default: 15"])
    p.write("a.c", "int x; // heddle: ignore\n")


@case
def an_ignore_without_a_reason_is_told(p):
    p.write("main.c", '''#include <pthread.h>
int hits;
static void *run(void *p) {
  hits++;  // heddle: ignore
  return p;
}
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, run, 0); return 0; }
''')
    p.call("scan", "main.c")
    p.expect(1, None, ["main.c:4: 'heddle: ignore' suppresses nothing without a reason"])


@case
def a_program_too_large_to_decide_is_scanned(p):
    p.write("main.c", '''#include <pthread.h>
int hits;
static void *run(void *p) { hits++; return p; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, run, 0); return 0; }
''')
    p.call("verify", "main.c", "--step-budget", "3", "--search-budget", "0", "--format", "json", "-o", "report.json")
    assert p.run.returncode == 3 and p.out.endswith("verdict: unknown\n"), p.out
    found = json.loads((p.folder / "report.json").read_text())
    assert "--step-budget" in str(found["obstacles"]) and "those of a scan" in str(found["obstacles"]), found
    assert [race["variable"] for race in found["races"] if race["verdict"] == "likely"].count("hits") > 0, found
    assert found["races"][0]["opinions"], found["races"]
    p.call("verify", "main.c", "--step-budget", "3")
    assert p.run.returncode == 1, "a run shows the race all the same: " + p.out


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
        [{"directory": str(p.folder), "command": f"cc -c {name}", "file": name}
         for name in ("src/server.c", "src/client.c", "lib/lib.c")]))
    p.call("capture")
    p.call("verify")
    p.expect_error("several programs", "--program NAME: src/client.c, src/server.c")
    for name in ("server", "server.c", "src/server.c"):
        found = report(p, "--program", name)
        assert found["verdict"] == "race-free" and found["coverage"]["project"]["linked"] == 2, found
    p.call("verify", "--program", "lib")
    p.expect_error("choose one of: src/client.c, src/server.c")
    p.write("src/second.c", "int lib(void) { return 4; }\n")
    commands = json.loads((p.folder / "compile_commands.json").read_text())
    p.write("compile_commands.json", json.dumps([*commands,
                                                 {**commands[0], "command": "cc -c src/second.c",
                                                  "file": "src/second.c"}]))
    p.call("capture")
    found = report(p, "--program", "server")
    assert found["verdict"] == "unknown" and "'lib' is defined in 2 units" in str(found["obstacles"]), found


@case
def a_main_is_called_by_its_path_from_anywhere(p):
    make_programs(p)
    p.write("tools/main.c", "int main(void) { return 1; }\n")
    p.write("src/tools/main.c", "int main(void) { return 2; }\n")
    names = ("src/server.c", "tools/main.c", "src/tools/main.c", "lib/lib.c")
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": f"cc -c {name}", "file": name} for name in names]))
    p.call("capture")
    for name, unit in (("./src/server.c", "src/server.c"), (str(p.folder / "src/server.c"), "src/server.c"),
                       ("src/../src/server.c", "src/server.c"), ("tools/main.c", "tools/main.c")):
        assert report(p, "--program", name)["coverage"]["project"]["program"] == unit, name
    p.call("verify", "--program", "main.c")
    p.expect_error("no program that is called so, or several")
    p.call("verify", "--program", "ools/main.c")
    p.expect_error("no program that is called so, or several")
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": f"cc -c {name}", "file": name} for name in names
         if name != "tools/main.c"]))
    p.call("capture")
    found = report(p, "--program", "tools/main.c")
    assert found["coverage"]["project"]["program"] == "src/tools/main.c", "the one whose path ends so"


@case
def a_source_that_two_programs_compile_is_in_a_program_once(p):
    p.write("main.c", THREADED % ("f", "f"))
    p.write("f.c", "int calls;\nint f(void) { return ++calls + LEVEL; }\n")
    commands = [{"directory": str(p.folder), "command": f"cc -DLEVEL={level} -c {name}.c -o {kind}-{name}.o",
                 "file": f"{name}.c"}
                for level, kind in ((0, "server"), (1, "server_debug")) for name in ("main", "f")]
    commands[0]["command"] += " -DRELEASE"
    p.write("main.c", (p.folder / "main.c").read_text() + "#ifdef RELEASE\nint release;\n#endif\n")
    p.write("compile_commands.json", json.dumps(commands))
    p.call("capture")
    counts(p, 4, 4, 0, 0)
    for name, level in (("main.c", 0), ("main.c#2", 1)):
        p.call("ir", "--program", name)
        assert f", {level} " in p.out.split("define i32 @f(")[-1].split("\n}")[0], p.out
        assert p.out.count("@calls = ") == 1, p.out
    found = report(p, "--program", "main.c")
    assert found["verdict"] != "race-free" and found["coverage"]["project"]["linked"] == 2, found
    assert "compiled more than once" in str(found["obstacles"]), "which of them was linked is a guess"


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


if __name__ == "__main__":
    sys.exit(run_cases(CASES, case_arguments(__doc__).parse_args(), False))
