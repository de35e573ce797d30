#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machines that are full or broken, and users who have waited long enough: no memory, threads, files or room, Ctrl-C,
a build whose log is not whole. Each has its own words, and none is "a bug in heddle".

  machines.py --heddle build/release/heddle

Ends with `N passed, M failed`.
"""
import json
import os
import pathlib
import resource
import signal
import stat
import subprocess
import sys
import time

from cases import main_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from limits import seconds  # noqa: E402

RACY = """#include <pthread.h>
int x;
static void *run(void *p) { x = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = 2; return 0; }
"""
SAFE = "#include <pthread.h>\nint main(void) { return 0; }\n"
# No race, and a search that goes on for ever.
LONG = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *run(void *p) {
  for (int i = 0; i < 40; ++i) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
  return p;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; ++i) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 8; ++i) pthread_join(t[i], 0);
  return x;
}
"""
SEARCH = ["--no-static", "--search-budget", "1000000000000"]
CASES = []


def case(function):
    CASES.append(function)
    return function


def large(functions):
    """A program that takes verify long, and a scan a moment."""
    lines = ["#include <pthread.h>", "int g[64]; int *p[64]; pthread_mutex_t m;"]
    for i in range(functions):
        lines.append(f"static void f{i}(int a) {{ int b = a + {i}; if (g[b & 63] > {i}) {{ *p[a & 63] += g[(a + {i}) & 63];"
                     f" if (b & 1) {f'f{i - 1}(b)' if i else 'g[0]++'}; }} else p[b & 63] = &g[a & 63]; }}")
    lines.append("static void *run(void *q) { for (int i = 0; i < 9; ++i) f%d(i); return q; }" % (functions - 1))
    lines.append("int main(void) { pthread_t t[9]; for (int i = 0; i < 9; ++i) pthread_create(&t[i], 0, run, 0);"
                 " run(0); for (int i = 0; i < 9; ++i) pthread_join(t[i], 0); return 0; }")
    return "\n".join(lines) + "\n"


class Place:
    """A folder, and heddle in it."""

    def __init__(self, heddle, folder):
        self.heddle, self.folder = heddle, pathlib.Path(folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def call(self, *arguments, limits=(), temporary=None, code=None, stdout=subprocess.PIPE, timeout=60):
        def restrict():
            for which, most in limits:
                resource.setrlimit(which, (most, most))

        environment = dict(os.environ, TMPDIR=str(temporary)) if temporary else None
        done = subprocess.run([self.heddle, *arguments], cwd=self.folder, stdout=stdout, stderr=subprocess.PIPE,
                              timeout=seconds(timeout), check=False, stdin=subprocess.DEVNULL, preexec_fn=restrict,
                              env=environment)
        self.out = (done.stdout or b"").decode(errors="replace")
        self.err = done.stderr.decode(errors="replace")
        self.text = self.out + self.err
        for never in ("bug in heddle", "LLVM ERROR", "nests too deeply", "terminate called"):
            assert never not in self.text, self.text
        assert done.returncode >= 0, f"killed by signal {-done.returncode}\n{self.text}"
        assert code is None or done.returncode == code, f"exit code {done.returncode}\n{self.text}"
        return done.returncode

    def start(self, *arguments):
        return subprocess.Popen([self.heddle, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def ends_after(self, process, number, within=8):
        """One signal, and the process ends soon; its exit code."""
        begin = time.monotonic()
        process.send_signal(number)
        try:
            out, err = process.communicate(timeout=seconds(within))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"still there {within} s after the first signal") from None
        self.out, self.err = out.decode(errors="replace"), err.decode(errors="replace")
        assert "bug in heddle" not in self.err, self.err
        self.seconds = time.monotonic() - begin
        return process.returncode


@case
def address_space(p):
    p.write("a.c", RACY)
    for megabytes in (120, 130, 150, 200, 300, 450, 700, 1500):
        code = p.call("verify", "a.c", limits=[(resource.RLIMIT_AS, megabytes << 20)])
        fine = code == 1 and p.out.endswith("verdict: race\n")
        assert fine or (code in (2, 3) and "out of memory" in p.err.lower()), f"{megabytes} MB: {code}\n{p.text}"
    assert fine, p.text


@case
def address_space_of_a_capture(p):
    p.write("a.c", RACY)
    p.write("compile_commands.json", json.dumps([{"directory": str(p.folder), "file": "a.c",
                                                  "arguments": ["cc", "-c", "a.c"]}]))
    for megabytes in (120, 130, 200, 400, 1500):
        code = p.call("capture", limits=[(resource.RLIMIT_AS, megabytes << 20)])
        assert code == 0 or "memory" in p.text, f"{megabytes} MB: {code}\n{p.text}"
    assert code == 0, p.text


@case
def no_threads(p):
    """Root may have as many as it likes; so another user, if we are root."""
    p.write("a.c", RACY)
    p.folder.chmod(0o755)
    heddle = pathlib.Path(p.heddle)
    if os.getuid() == 0:
        copy = p.folder / "heddle"
        copy.write_bytes(heddle.read_bytes())
        copy.chmod(0o755)

        def become_nobody():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            os.setgid(65534)
            os.setuid(65534)
    else:
        copy = heddle

        def become_nobody():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    for parent in [p.folder, *p.folder.parents]:
        if not parent.stat().st_mode & stat.S_IXOTH:
            return  # nobody cannot come here
    for command in ("scan", "verify", "check"):
        done = subprocess.run([copy, command, "-j8", "a.c"], cwd=p.folder, capture_output=True, timeout=seconds(60),
                              check=False, preexec_fn=become_nobody)
        assert done.returncode == 1, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
        assert b"bug in heddle" not in done.stderr


@case
def few_open_files(p):
    p.write("a.c", RACY)
    for most in (3, 4, 5, 6, 8, 16):
        code = p.call("verify", "a.c", limits=[(resource.RLIMIT_NOFILE, most)])
        is_told = "Too many open files" in p.err or "error while loading shared libraries" in p.err
        assert code == 1 or is_told, f"{most}: {code}\n{p.text}"


@case
def few_open_files_of_a_capture(p):
    p.write("a.c", RACY)
    for most in (4, 5, 6, 8, 10, 12, 14, 16):
        code = p.call("capture", "--", "cc", "-c", "a.c", limits=[(resource.RLIMIT_NOFILE, most)])
        assert code == 0 or "oo many open files" in p.text, f"{most}: {code}\n{p.text}"


@case
def files_that_may_not_grow(p):
    p.write("a.c", RACY)
    for most in (0, 100, 1000):
        limits = [(resource.RLIMIT_FSIZE, most)]
        p.call("verify", "-o", "report", "--details", "a.c", limits=limits, code=2 if most < 1000 else None)
        assert most == 1000 or "File too large" in p.err and "ulimit -f" in p.err, p.text
        p.call("capture", "--", "cc", "-c", "a.c", "-o", "/dev/null", limits=limits)
        assert "File too large" in p.text, f"{most}: {p.text}"


@case
def a_full_device(p):
    p.write("a.c", RACY)
    p.call("verify", "-o", "/dev/full", "a.c", code=2)
    assert "No space left" in p.err, p.text
    with open("/dev/full", "wb") as full:
        p.call("verify", "a.c", code=2, stdout=full)
    assert "standard output is full" in p.err, p.text


@case
def formats_are_alone_on_standard_output(p):
    p.write("a.c", RACY)
    p.call("capture", "--", "cc", "-c", "a.c")
    for command in ("scan", "verify", "check"):
        for form in ("json", "sarif"):
            for more in ([], ["--file", "b.c"], ["a.c"], ["--memory-limit", "1M"], ["--timeout", "1"]):
                p.call(command, "--format", form, *more)
                json.loads(p.out)


@case
def limits_of_memory(p):
    p.write("big.c", large(160))
    for command in ("verify", "scan", "check"):
        for form in ("text", "json"):
            p.call(command, "--memory-limit", "8M", "--search-budget=0" if command != "scan" else "--stats", "--format",
                   form, "big.c", code=3)
            assert "the memory limit (8M, --memory-limit) was used up" in " ".join(p.text.split()), p.text
    p.call("verify", "--memory-limit", "8M", "--search-budget", "0", "big.c", code=3)
    assert p.out.endswith("verdict: unknown\n"), p.text
    for bad in ("0", "-1", "M", "1X", "", "99999999999999999999"):
        p.call("scan", f"--memory-limit={bad}", "big.c", code=2)


@case
def a_limit_of_memory_for_units(p):
    p.write("a.c", RACY)
    p.call("capture", "--memory-limit", "2G", "--", "cc", "-c", "a.c", code=0)


@case
def one_signal_ends_verify(p):
    p.write("long.c", LONG)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = p.start("verify", *SEARCH, "long.c")
        time.sleep(seconds(2))
        assert process.poll() is None, "it should take longer"
        code = p.ends_after(process, number)
        assert code == 3 and p.out.endswith("verdict: unknown\n"), f"{code} {p.out[-300:]} {p.err}"
        assert "it was interrupted" in " ".join(p.out.split()), p.out[-2000:]


@case
def one_signal_ends_whoever_waits_for_a_file(p):
    os.mkfifo(p.folder / "never.h")
    p.write("a.c", '#include "never.h"\n' + RACY)
    p.write("compile_commands.json", json.dumps([{"directory": str(p.folder), "file": "a.c",
                                                  "arguments": ["cc", "-c", "a.c"]}]))
    for arguments in (["verify", "a.c"], ["check", "a.c"], ["scan", "a.c"], ["capture"], ["run", "a.c"], ["ir", "a.c"]):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = p.start(*arguments)
            time.sleep(seconds(0.7))
            if process.poll() is None:
                p.ends_after(process, number)
            process.communicate()


@case
def one_signal_ends_a_capture_that_waits_for_a_kept_file(p):
    p.write("a.c", RACY)
    for name in ("compilers.json", "project.json", "links.json", "commands.json", "lock"):
        subprocess.run(["rm", "-rf", p.folder / ".heddle"], check=True)
        p.write("compile_commands.json", json.dumps([{"directory": str(p.folder), "file": "a.c",
                                                      "arguments": ["cc", "-c", "a.c"]}]))
        (p.folder / ".heddle").mkdir()
        os.mkfifo(p.folder / ".heddle" / name)
        process = p.start("capture")
        time.sleep(seconds(0.7))
        if process.poll() is None:
            p.ends_after(process, signal.SIGTERM)
        process.communicate()


def slow_compiler(p, text):
    """A compiler whose questions are answered by a script."""
    (p.folder / "bin").mkdir(exist_ok=True)
    script = p.folder / "bin/gcc"
    script.write_text("#!/bin/sh\n" + text)
    script.chmod(0o755)
    p.write("a.c", RACY)
    p.write("compile_commands.json", json.dumps([{"directory": str(p.folder), "file": "a.c",
                                                  "arguments": [str(script), "-c", "a.c"]}]))
    return ["capture", "--query-driver", str(script)]


@case
def one_signal_ends_a_compiler_that_does_not_answer(p):
    arguments = slow_compiler(p, f"echo $$ > {p.folder}/pid\nsleep 50\nsleep 50\n")
    process = p.start(*arguments)
    time.sleep(seconds(1.5))
    code = p.ends_after(process, signal.SIGTERM, within=4)
    assert code == 3, f"{code} {p.out}{p.err}"
    pid = int((p.folder / "pid").read_text())
    time.sleep(0.2)
    assert not pathlib.Path(f"/proc/{pid}").exists(), "the compiler was left behind"
    p.call("verify", code=2)
    assert "interrupted" in p.err, p.text


@case
def a_child_that_keeps_the_pipe(p):
    arguments = slow_compiler(p, 'sleep 30 &\nexec cc "$@"\n')
    begin = time.monotonic()
    p.call(*arguments, code=0)
    assert time.monotonic() - begin < seconds(15), p.text


@case
def one_signal_ends_a_build(p):
    p.write("a.c", RACY)
    p.write("b.sh", "cc -c a.c\nsleep 60\nsleep 60\n")
    p.write("deaf.sh", "trap '' INT\ncc -c a.c\nwhile :; do sleep 1; done\n")
    for script in ("b.sh", "deaf.sh"):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = p.start("capture", "--", "sh", script)
            time.sleep(seconds(1.5))
            code = p.ends_after(process, number, within=12)
            assert code not in (0, 1), f"{script} {code} {p.out}{p.err}"
            p.call("verify", code=2)
            assert "interrupted" in p.err, p.text


@case
def a_log_that_cannot_grow(p):
    """As on a full disk: records of the log are cut or missing."""
    p.write("main.c", "#include <pthread.h>\nextern void touch(void); int main(void) { return 0; }\n")
    p.write("racy.c", RACY.replace("main", "other"))
    for room in (0, 40, 120):
        # In the build alone; its objects go nowhere.
        p.write("b.py", f"import resource, subprocess\nresource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
                        "for name in ('main.c', 'racy.c'):\n"
                        "    subprocess.run(['cc', '-pipe', '-c', name, '-o', '/dev/null'], check=False)\n")
        subprocess.run(["rm", "-rf", p.folder / ".heddle"], check=True)
        code = p.call("capture", "--", "python3", "b.py")
        assert code in (2, 3) and "log of the build is not complete: File too large" in p.err, f"{code}\n{p.text}"
        if code == 3:
            assert p.call("verify") == 3 and p.out.endswith("verdict: unknown\n"), p.text
            assert "log of the build" in " ".join(p.text.split()), p.text
            assert p.call("scan") == 3, p.text
            p.call("capture", "--append", "--", "cc", "-c", "main.c", "-o", "again.o", code=3)  # brings nothing back


@case
def a_log_that_others_may_not_write(p):
    """A step of the build runs as somebody else, who cannot open the log."""
    if os.getuid() != 0:
        return
    p.folder.chmod(0o777)
    paths = [*p.folder.parents, *pathlib.Path(p.heddle).resolve().parents]
    if any(not parent.stat().st_mode & stat.S_IXOTH for parent in paths):
        return  # nobody else gets to the folder, or to what is preloaded
    p.write("main.c", "int main(void) { return 0; }\n")
    p.write("racy.c", RACY.replace("main", "other"))
    p.write("b.py", "import os, subprocess\nsubprocess.run(['cc', '-c', 'main.c'], check=True)\nos.setgid(65534)\n"
                    "os.setuid(65534)\nsubprocess.run(['cc', '-c', 'racy.c'], check=True)\n")
    p.call("capture", "--", "python3", "b.py", code=3)
    assert "not complete" in p.err, p.text
    p.call("verify", code=3)


@case
def a_log_that_is_gone(p):
    p.write("main.c", "int main(void) { return 0; }\n")
    (p.folder / "tmp").mkdir()
    p.write("b.sh", "cc -c main.c; rm -rf tmp/*; cc -c main.c -o other.o\n")
    assert p.call("capture", "--", "sh", "b.sh", temporary=p.folder / "tmp") in (2, 3), p.text
    assert "cannot be read" in p.err or "not complete" in p.err, p.text


@case
def a_failed_build(p):
    p.write("main.c", "int main(void) { return 0; }\n")
    p.call("capture", "--", "sh", "-c", "cc -c main.c; false", code=1)
    assert p.call("verify") == 3 and p.out.endswith("verdict: unknown\n"), p.text
    p.call("capture", "--", "cc", "-c", "main.c", code=0)
    assert p.call("verify") == 0, p.text


@case
def a_capture_inside_of_a_capture(p):
    p.write("main.c", "int main(void) { return 0; }\n")
    (p.folder / "sub").mkdir()
    p.write("sub/inner.c", "int inner;\n")
    p.write("b.sh", f"cc -c main.c\ncd sub\n{p.heddle} capture -- cc -c inner.c\n")
    p.call("capture", "--", "sh", "b.sh", code=0)
    files = {os.path.basename(row["file"]) for row in json.loads((p.folder / ".heddle/commands.json").read_text())}
    assert files == {"main.c", "inner.c"}, files


@case
def half_an_answer_of_a_compiler(p):
    arguments = slow_compiler(p, 'cc "$@" 2>err; s=$?; sed "/End of search list/,\\$d" err >&2; exit $s\n')
    p.call(*arguments)
    kept = p.folder / ".heddle/compilers.json"
    assert not kept.exists() or "question" not in kept.read_text(), kept.read_text()


if __name__ == "__main__":
    sys.exit(main_of(__doc__, CASES, Place))
