#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nothing stale is believed, nothing depends on the order of the build's commands.

  kept_files.py --heddle build/release/heddle

Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import random
import subprocess
import sys

from cases import KEY_FILE, main_of
from seals import Key, without_seal

SAFE = """#include <pthread.h>
int x;
static void *run(void *p) { return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = 2; return 0; }
"""
RACY = SAFE.replace("{ return p; }", "{ x=1; return p;}")  # longer by two
SAFE = SAFE.replace("int x;\n", "int  x; \n").replace("{ return p; }", "{     return p;}")[:len(RACY)]
CASES = []


def case(function):
    CASES.append(function)
    return function


class Project:
    def __init__(self, heddle, folder):
        self.heddle, self.room = heddle, pathlib.Path(folder)
        self.folder = self.room / "project"
        self.folder.mkdir()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def database(self, names):
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.folder), "file": name, "arguments": ["cc", "-c", name]} for name in names]))

    def call(self, *arguments):
        done = subprocess.run([self.heddle, *arguments], cwd=self.folder, capture_output=True, timeout=120,
                              check=False, stdin=subprocess.DEVNULL)
        self.out = done.stdout.decode(errors="replace")
        self.text = self.out + done.stderr.decode(errors="replace")
        assert "bug in heddle" not in self.text, self.text
        return done.returncode

    def captured(self, text=SAFE):
        self.write("a.c", text)
        self.database(["a.c"])
        assert self.call("capture") == 0, self.text

    def verdict(self):
        code = self.call("verify")
        return code, self.out.strip().splitlines()[-1] if self.out.strip() else ""


@case
def an_edit_of_equal_size_and_time(p):
    source = p.write("a.c", SAFE)
    os.utime(source, (1_500_000_000, 1_500_000_000))
    p.database(["a.c"])
    p.call("capture")
    assert p.verdict() == (0, "verdict: race-free"), p.text
    assert len(SAFE) == len(RACY)
    source.write_text(RACY)
    os.utime(source, (1_500_000_000, 1_500_000_000))
    p.call("capture")
    assert p.verdict() == (1, "verdict: race"), p.text


@case
def a_source_put_in_its_place_with_equal_size_and_time(p):
    p.captured()
    source, other = p.folder / "a.c", p.write("b.c", RACY)
    os.utime(source, (1_500_000_000, 1_500_000_000))
    p.call("capture")
    os.utime(other, (1_500_000_000, 1_500_000_000))
    os.replace(other, source)
    p.call("capture")
    assert p.verdict() == (1, "verdict: race"), p.text


@case
def an_edit_after_the_capture(p):
    p.captured()
    assert p.verdict() == (0, "verdict: race-free"), p.text
    p.write("a.c", RACY)
    assert p.verdict() == (3, "verdict: unknown"), p.text
    assert "older than the sources or than this heddle, such as a.c; run 'heddle capture' again" in p.text, p.text
    assert p.call("scan") == 3 and "older than the sources" in p.text, p.text
    p.call("capture")
    assert p.verdict() == (1, "verdict: race"), p.text


@case
def an_edit_of_a_header(p):
    p.write("h.h", "/* nothing */\n")
    p.captured('#include "h.h"\n' + SAFE)
    p.write("h.h", "/* something else */\n")
    assert p.verdict()[0] == 3 and "older than the sources" in p.text, p.text


@case
def a_source_that_is_gone(p):
    p.captured()
    (p.folder / "a.c").unlink()
    assert p.verdict()[0] == 3, p.text


@case
def the_order_of_the_commands(p):
    names = [f"u{i}.c" for i in range(12)]
    for i, name in enumerate(names):
        p.write(name, f"extern int shared[8]; static int mine;\nvoid f{i}(void) {{ shared[{i % 8}]++; mine++; }}\n")
    calls = "".join(f"void f{i}(void); " for i in range(12))
    p.write("main.c", f"#include <pthread.h>\nint shared[8]; {calls}\nstatic void *run(void *p) {{ "
            + " ".join(f"f{i}();" for i in range(12))
            + " return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); return 0; }\n")
    reports = set()
    for seed in range(6):
        order = [*names, "main.c"]
        random.Random(seed).shuffle(order)
        p.database(order)
        subprocess.run(["rm", "-rf", str(p.folder / ".heddle")], check=True)
        assert p.call("capture") == 0, p.text
        p.call("scan", "--format", "json")
        reports.add(p.out)
    assert len(reports) == 1, "the report depends on the order"
    assert json.loads(reports.pop())["races"]


@case
def a_changed_byte_of_the_project_file(p):
    p.captured()
    p.write("bad.c", "int x = ;\n")
    p.database(["a.c", "bad.c"])
    p.call("capture")
    assert p.verdict()[1] == "verdict: unknown", p.text
    file = p.folder / ".heddle/project.json"
    whole = file.read_text()
    for then, now in (('"failed"', '"gailed"'), ('"interrupted"', '"interrupteD"'), ('"notes": ', '"notes":"" ,"m": '),
                      ('"units"', '"unitz"'), ('"build_status"', '"failed"'), ('"tried": "2"', '"tries": "2"')):
        assert then in whole, whole
        file.write_text(whole.replace(then, now))
        assert p.call("verify") == 2 and "run 'heddle capture' again" in p.text, f"{now}\n{p.text}"


@case
def a_key_that_leads_elsewhere(p):
    p.captured()
    victim = p.room / "victim"
    victim.mkdir()
    for end in (".unit", ".files"):
        (victim / ("data" + end)).write_text("mine")
    file = p.folder / ".heddle/project.json"
    project = json.loads(without_seal("project.json", file.read_bytes()))
    for key in ("../../../victim/data", str(victim / "data"), "0" * 31 + "/", "0" * 31 + "G", "", "0" * 33):
        project["units"][0]["key"] = key
        file.write_bytes(Key(KEY_FILE).seal("project.json", json.dumps(project).encode()))
        for command in ("scan", "verify"):
            assert p.call(command) == 2, p.text
        assert sorted(os.listdir(victim)) == ["data.files", "data.unit"], "files of the user are gone"


@case
def a_link_in_place_of_what_is_kept(p):
    p.captured(RACY)
    photos = p.room / "home/records"
    photos.mkdir(parents=True)
    (photos / "photo").write_text("mine")
    kept = p.folder / ".heddle/summaries"
    subprocess.run(["rm", "-rf", str(kept)], check=True)
    os.symlink(p.room / "home", kept)
    p.call("scan")
    assert (photos / "photo").read_text() == "mine"


if __name__ == "__main__":
    sys.exit(main_of(__doc__, CASES, Project))
