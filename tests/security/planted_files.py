#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lies in a `.heddle` that a project brought along is not believed and leads nowhere else; nothing that stands in
place of a file is waited for.

  planted_files.py --heddle build/release/heddle

Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import time

from cases import KEY_FILE, STATE, main_of
from kept_files import RACY, SAFE, Project

CASES = []
FOREIGN = "was not made by you with this heddle"


def case(function):
    CASES.append(function)
    return function


class Place(Project):
    """A project, and somebody else with a key of his own."""

    def __init__(self, heddle, folder):
        super().__init__(heddle, folder)
        self.other = {"XDG_STATE_HOME": str(self.room / "other-state")}
        self.kept = self.folder / ".heddle"

    def call(self, *arguments, env=None, timeout=60, stdin=subprocess.DEVNULL, **more):
        done = subprocess.run([self.heddle, *arguments], cwd=self.folder, capture_output=True, timeout=timeout,
                              check=False, stdin=stdin, env={**os.environ, **(env or {})}, **more)
        self.out = done.stdout.decode(errors="replace")
        self.text = self.out + done.stderr.decode(errors="replace")
        assert done.returncode in (0, 1, 2, 3) and "bug in heddle" not in self.text, f"{done.returncode}: {self.text}"
        return done.returncode

    def capture(self, text, env=None):
        self.write("a.c", text)
        self.database(["a.c"])
        assert self.call("capture", env=env) == 0, self.text
        for command in ("scan", "verify"):  # so that everything is there that can be kept
            self.call(command, env=env)

    def files(self):
        return sorted(str(path.relative_to(self.kept)) for path in self.kept.rglob("*")
                      if path.is_file() and path.name != "lock")

    def swapped(self, planted):
        """For each planted file alone in the place of ours, and for all of them: what verify says, after a capture,
        too."""
        own = self.room / "own"
        shutil.copytree(self.kept, own, symlinks=True)
        names = sorted(str(path.relative_to(planted)) for path in planted.rglob("*") if path.is_file())
        for chosen in [[name] for name in names] + [names]:
            shutil.rmtree(self.kept)
            shutil.copytree(own, self.kept, symlinks=True)
            for name in chosen:
                (self.kept / name).parent.mkdir(exist_ok=True)
                shutil.copyfile(planted / name, self.kept / name)
            for command in ("verify", "scan", "explain x", "ir"):
                code = self.call(*command.split())
                yield chosen, command, code, self.text
            self.call("capture")
            yield chosen, "capture, verify", self.call("verify"), self.text


def check_racy(p, planted):
    for chosen, command, code, text in p.swapped(planted):
        what = f"{command} with {chosen}: {text}"
        assert "verdict: race-free" not in text, what
        assert "verify" not in command or code in (1, 2, 3), what
        assert command != "scan" or code != 0, what
        assert command != "capture, verify" or (code == 1 and "verdict: race" in text), what


@case
def files_of_somebody_else(p):
    p.capture(SAFE, p.other)
    assert p.call("verify", env=p.other) == 0, p.text
    p.kept.rename(p.room / "planted")
    p.capture(RACY)
    check_racy(p, p.room / "planted")


@case
def own_files_of_another_time(p):
    p.capture(SAFE)
    p.kept.rename(p.room / "planted")
    p.capture(RACY)
    check_racy(p, p.room / "planted")


@case
def a_folder_of_somebody_else(p):
    p.capture(RACY, p.other)
    for command in ("verify", "scan", "check", "ir"):
        assert p.call(command) == 2 and FOREIGN in p.text and "run 'heddle capture' again" in p.text, p.text
    assert p.call("explain", "x") != 0, p.text
    assert p.call("capture") == 0, p.text
    assert FOREIGN in p.text and "captured anew" in p.text and "(0 unchanged)" in p.text, p.text
    assert p.verdict() == (1, "verdict: race"), p.text
    assert p.verdict() == (1, "verdict: race") and FOREIGN not in p.text, p.text
    assert p.call("capture") == 0 and FOREIGN not in p.text and "(1 unchanged)" in p.text, p.text


@case
def commands_of_somebody_else(p):
    p.captured()
    (p.folder / "compile_commands.json").unlink()
    assert p.call("capture") == 0 and "captures again" in p.text, p.text
    file = p.kept / "commands.json"
    file.write_text(file.read_text().replace("a.c", "b.c"))
    assert p.call("capture") == 2 and "is not what your heddle wrote" in p.text, p.text
    assert p.call("capture", "--append", "-p", ".heddle/commands.json") == 2, p.text


@case
def a_shared_key(p):
    key = {"HEDDLE_KEY_FILE": str(p.room / "shared.key")}
    p.capture(RACY, {**p.other, **key})
    assert stat.S_IMODE((p.room / "shared.key").stat().st_mode) == 0o600
    assert p.call("verify") == 2, p.text
    assert p.call("verify", env=key) == 1, p.text
    os.chmod(p.room / "shared.key", 0o666)
    assert p.call("verify", env=key) == 2 and "others may write it" in p.text, p.text


@case
def a_key_that_cannot_be_kept(p):
    nowhere = {"XDG_STATE_HOME": "/dev/null/state"}
    p.write("a.c", RACY)
    p.database(["a.c"])
    assert p.call("capture", env=nowhere) == 0, p.text
    assert "cannot be kept itself" in p.text and "HEDDLE_KEY_FILE" in p.text, p.text
    assert p.call("verify", env=nowhere) == 2 and "HEDDLE_KEY_FILE" in p.text, p.text
    assert p.call("verify", "a.c", env=nowhere) == 1, p.text


@case
def a_key_is_made_for_what_is_kept_only(p):
    p.write("a.c", RACY)
    p.call("verify", "a.c", env=p.other)
    p.call("scan", "a.c", env=p.other)
    assert not (p.room / "other-state").exists()
    p.capture(RACY, p.other)
    key = p.room / "other-state/heddle/key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600 and stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    os.chmod(key, 0o644)
    assert p.call("verify", env=p.other) == 2 and "others may read" in p.text, p.text


@case
def many_that_make_the_key(p):
    folders = [p.room / f"p{i}" for i in range(8)]
    for folder in folders:
        folder.mkdir()
        (folder / "a.c").write_text(RACY)
    env = {**os.environ, **p.other}
    runs = [subprocess.Popen([p.heddle, "capture", "--", "cc", "-c", "a.c"], cwd=folder, env=env,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for folder in folders]
    assert [run.wait(timeout=120) for run in runs] == [0] * len(runs)
    for folder in folders:
        done = subprocess.run([p.heddle, "verify"], cwd=folder, env=env, capture_output=True, check=False, timeout=60)
        assert done.returncode == 1, done.stderr
    assert os.listdir(p.room / "other-state/heddle") == ["key"]


@case
def a_fresh_capture(p):
    p.capture(RACY)
    assert p.call("capture", "--fresh") == 0 and "(0 unchanged)" in p.text, p.text
    assert not [name for name in p.files() if name.startswith(("linked/", "summaries/", "last"))], p.files()
    assert p.verdict() == (1, "verdict: race"), p.text
    p.write(".heddle/mine.txt", "of the user")
    assert p.call("capture", "--fresh", "--append") == 2 and "exclude each other" in p.text, p.text
    (p.folder / "compile_commands.json").unlink()
    before = p.files()
    assert p.call("capture", "--fresh") == 2 and "believes nothing" in p.text, p.text
    assert p.files() == before
    assert p.call("capture", "--fresh", "--", "cc", "-c", "a.c") == 0 and "(0 unchanged)" in p.text, p.text
    assert (p.kept / "mine.txt").read_text() == "of the user"
    assert p.call("capture", "--help") == 0 and "--fresh" in p.text, p.text


@case
def the_folder_is_a_link(p):
    p.capture(RACY)
    elsewhere = p.room / "elsewhere"
    p.kept.rename(elsewhere)
    p.kept.symlink_to(elsewhere)
    before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
    for command in ("verify", "scan", "check", "capture"):
        assert p.call(command) == 2 and "is a link" in p.text and "remove it" in p.text, f"{command}: {p.text}"
    assert before == {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}


@case
def a_folder_inside_is_a_link(p):
    p.capture(RACY)
    for inner in ("units", "bitcode", "linked", "summaries"):
        elsewhere = p.room / f"elsewhere-{inner}"
        (p.kept / inner).rename(elsewhere)
        (p.kept / inner).symlink_to(elsewhere)
        before = {path.name: path.read_bytes() for path in elsewhere.iterdir()}
        for command in ("capture", "scan", "verify"):
            p.write("a.c", RACY + f"// {inner} {command}\n")
            p.call(command)
            assert "race-free" not in p.text, p.text
        p.call("capture", "--fresh")
        assert before == {path.name: path.read_bytes() for path in elsewhere.iterdir()}, inner
        (p.kept / inner).unlink()
        assert p.call("capture") == 0, p.text
        for command in ("scan", "verify"):
            p.call(command)


@case
def a_file_inside_is_a_link(p):
    p.capture(RACY)
    for name in p.files() + ["lock"]:
        victim = p.room / ("victim-" + name.replace("/", "-"))
        (p.kept / name).rename(victim)
        (p.kept / name).symlink_to(victim)
        content = victim.read_bytes()
        for command in ("verify", "scan"):
            p.call(command)
            assert "race-free" not in p.text, p.text
        p.call("capture")
        assert victim.read_bytes() == content and not victim.is_symlink(), name
        if name != "lock":
            assert p.call("capture", "--fresh") == 0, p.text
        else:
            assert p.call("capture") == 2 and "is a link" in p.text, p.text
            (p.kept / name).unlink()
            assert p.call("capture") == 0, p.text
        assert victim.read_bytes() == content, name
        for command in ("scan", "verify"):
            p.call(command)
    dangling = p.room / "made-through-a-link"
    (p.kept / "lock").unlink()
    (p.kept / "lock").symlink_to(dangling)
    p.call("capture")
    assert not dangling.exists()


def odd_files(place):
    """In place of a file: what keeps a reader waiting or never ends."""
    def fifo():
        os.mkfifo(place)

    def device():
        place.symlink_to("/dev/zero")

    def bound_socket():
        here = os.getcwd()
        os.chdir(place.parent)  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(place.name)
        os.chdir(here)

    def folder():
        place.mkdir()
    return (fifo, device, bound_socket, folder)


def with_each(place, check):
    for make in odd_files(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        make()
        try:
            check(make.__name__)
        finally:
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)


@case
def no_kept_file_is_waited_for(p):
    p.capture(RACY)
    own = p.room / "own"
    shutil.copytree(p.kept, own)
    for name in p.files():
        def check(kind, name=name):
            for command in ("verify", "scan", "explain x", "capture", "doctor"):
                p.call(*command.split(), timeout=20)
                assert "race-free" not in p.text, f"{name} {kind}: {p.text}"
        (p.kept / name).unlink()
        with_each(p.kept / name, check)
        shutil.rmtree(p.kept)
        shutil.copytree(own, p.kept)


@case
def no_source_is_waited_for(p):
    for name in ("a.c", "inc/h.h"):
        def check(kind, name=name):
            if name != "a.c":
                p.write("a.c", '#include "inc/h.h"\n' + RACY)
            p.database(["a.c"])
            shutil.rmtree(p.kept, ignore_errors=True)
            code = p.call("capture", timeout=20)
            assert code in (2, 3), f"{name} {kind}: {p.text}"
            code = p.call("verify", "a.c", timeout=20)
            assert code == 2, f"{name} {kind}: {p.text}"
            if name == "a.c":
                assert "not a file" in p.text or "director" in p.text or "folder" in p.text, f"{kind}: {p.text}"
        (p.folder / "a.c").unlink(missing_ok=True)
        with_each(p.folder / name, check)
    p.write("a.c", '#include "/dev/null"\n' + RACY)
    p.database(["a.c"])
    assert p.call("capture") == 0, p.text


@case
def no_named_file_is_waited_for(p):
    p.write("a.c", RACY)
    p.call("scan", "a.c", "--format", "json", "-o", "r.json")
    race = json.loads((p.folder / "r.json").read_text())["races"][0]["id"]
    odd = p.folder / "odd"
    for arguments in (["scan", "a.c", "--baseline", "odd"], ["scan", "a.c", "--suppressions", "odd"],
                      ["scan", "a.c", "--models", "odd"], ["replay", "odd"], ["capture", "-p", "odd"],
                      ["explain", race, "--report", "odd"], ["verify", "odd"], ["capture", "odd.bc"]):
        def check(kind, arguments=arguments):
            assert p.call(*arguments, timeout=20) == 2, f"{arguments} {kind}: {p.text}"
            if kind in ("fifo", "bound_socket", "device") and "odd" in arguments:
                assert "not a file" in p.text, f"{arguments} {kind}: {p.text}"
        with_each(p.folder / "odd.bc" if "odd.bc" in arguments else odd, check)
    report = json.loads((p.folder / "r.json").read_text())
    for access in report["races"][0]["accesses"]:
        access["file"] = "odd"
    p.write("r.json", json.dumps(report))
    with_each(odd, lambda kind: p.call("explain", race, "--report", "r.json", timeout=20))
    for name in ("heddle.toml", "compile_commands.json"):
        with_each(p.folder / name, lambda kind: (p.call("capture", timeout=20), p.call("scan", "a.c", timeout=20)))


@case
def what_is_handed_over_is_read(p):
    p.write("a.c", RACY)
    p.call("scan", "a.c", "--format", "json", "-o", "r.json")
    report = (p.folder / "r.json").read_bytes()
    race = json.loads(report)["races"][0]["id"]
    for arguments, text in ((["scan", "a.c", "--baseline", "/dev/stdin"], report),
                            (["scan", "a.c", "--suppressions", "/dev/fd/0"], b"race:x\n"),
                            (["explain", race, "--report", "/dev/stdin"], report),
                            (["verify", "/dev/stdin", "--", "-x", "c"], RACY.encode())):
        done = subprocess.run([p.heddle, *arguments], cwd=p.folder, capture_output=True, input=text, check=False,
                              timeout=60)
        assert done.returncode in (0, 1) and b"error" not in done.stderr, (arguments, done.returncode, done.stderr)
    shell = f"'{p.heddle}' scan a.c --baseline <(cat r.json) --suppressions /dev/null"
    done = subprocess.run(["bash", "-c", shell], cwd=p.folder, capture_output=True, check=False, timeout=60)
    assert b"0 new" in done.stderr, done.stderr


@case
def leftovers_of_killed_runs(p):
    p.capture(RACY)
    old, young = time.time() - 7200, time.time()
    left = {"units/a.unit.aB3dE6.tmp": old, "project.json.abcdef.tmp": old, "last-report.123456.tmp": old,
            "summaries/records.zzzzzz.tmp": old, "linked/all.json.qwerty.tmp": young, "units/notes.tmp": old}
    for name, when in left.items():
        p.write(".heddle/" + name, "half")
        os.utime(p.kept / name, (when, when))
    assert p.call("capture") == 0, p.text
    assert [name for name in left if (p.kept / name).exists()] == ["linked/all.json.qwerty.tmp", "units/notes.tmp"]


@case
def the_folder_of_a_recorded_build(p):
    p.write("a.c", RACY)
    p.write("build.sh", 'ls -ld "$(dirname "$HEDDLE_INTERCEPT_LOG")" > where\n'
            'cc -c a.c -o a.o\nls "$(dirname "$HEDDLE_INTERCEPT_LOG")" >> where\n')
    shared = p.room / "shared"
    shared.mkdir()
    assert p.call("capture", "--record", "--", "sh", "build.sh", env={"TMPDIR": str(shared)}) == 0, p.text
    first, *rest = (p.folder / "where").read_text().splitlines()
    assert first.startswith("drwx------") and rest == ["log", "objects"], (first, rest)
    assert not os.listdir(shared), "it is gone afterwards"


if __name__ == "__main__":
    sys.exit(main_of(__doc__, CASES, Place))
