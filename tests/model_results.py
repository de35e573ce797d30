#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models say about results, against what the C library returns.

  model_results.py --heddle build/release/heddle [--every N] [--only NAME] [--jobs 2]

Every function of models/*.toml that the system's headers declare and whose arguments can be made by their types is
called in a compiled program, several times with different arguments, each call in a process of its own. For each value
that came back, and for each that errno had behind the call, a program in which two threads count behind `if (result ==
value)` is given to heddle, with and without its static stages: `race-free` is wrong. For each value that the model's
own `result` excludes, and that the type has, another such program: `race` is wrong. Ends with `N passed, M failed`.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "random"))
from oracles import Batch

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = """arpa/inet.h ctype.h dirent.h err.h errno.h fcntl.h fenv.h grp.h inttypes.h libgen.h locale.h malloc.h math.h netdb.h
poll.h pthread.h pwd.h sched.h semaphore.h signal.h stdio.h stdlib.h string.h strings.h sys/epoll.h sys/eventfd.h
sys/file.h sys/inotify.h sys/mman.h sys/random.h sys/resource.h sys/select.h sys/socket.h sys/stat.h sys/statfs.h
sys/statvfs.h sys/sysinfo.h sys/time.h sys/timerfd.h sys/times.h sys/uio.h sys/utsname.h sys/wait.h syslog.h termios.h
threads.h time.h unistd.h wchar.h wctype.h""".split()
# what harms the machine that runs the test, or is no call of the program's own
DENIED = set("""kill killpg tgkill raise pthread_kill pthread_sigqueue settimeofday clock_settime vhangup chroot umount
shm_open shm_unlink setuid setgid seteuid setegid sync mlockall system popen alloca setjmp _setjmp""".split())
# effects of which a single call in main says nothing, or that do not come back
LEFT_OUT = {"no_return", "unsupported", "spawn", "thread_exit", "throw", "invoke", "invoke_global", "assume", "once",
            "at_exit", "root", "wait", "free", "reallocate", "join", "detach"}
REAL = ("double", "float")
NUMBERS = ["0", "1", "-1", "2", "100"]
INTEGER = {"char": (8, True), "signed char": (8, True), "unsigned char": (8, False), "short": (16, True),
           "unsigned short": (16, False), "int": (32, True), "unsigned int": (32, False), "long": (64, True),
           "unsigned long": (64, False), "long long": (64, True), "unsigned long long": (64, False), "_Bool": (1, False)}


Function = collections.namedtuple("Function", "name result returns parameters granted")


def prototypes(compiler):
    """name -> (canonical return type, canonical parameter types)"""
    text = "#define _GNU_SOURCE\n" + "".join(f"#include <{h}>\n" for h in HEADERS)
    done = subprocess.run([compiler, "-x", "c", "-std=gnu17", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-"],
                          input=text, capture_output=True, text=True, check=True)
    found = {}
    for node in json.loads(done.stdout)["inner"]:
        if node["kind"] != "FunctionDecl":
            continue
        whole = node["type"].get("desugaredQualType", node["type"]["qualType"])
        returned = re.match(r"(.*?) ?\(", whole)[1]
        parameters = [p["type"].get("desugaredQualType", p["type"]["qualType"])
                      for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        found[node["name"]] = (plain(returned), [plain(p) for p in parameters], node["type"]["qualType"])
    return found


def plain(name):
    return re.sub(r"\b(const|volatile|restrict|__restrict|extern)\b ?", "", name).replace("  ", " ").strip()


def functions(compiler):
    declared = prototypes(compiler)
    for file in sorted((ROOT / "models").glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        default = data.get("defaults", {}).get("result", "")
        for model in data["function"]:
            effects = {k for e in model["effects"] for k in ([e] if isinstance(e, str) else e)}
            for name in model.get("names", [model.get("name")]):
                if name not in declared or name in DENIED or effects & LEFT_OUT:
                    continue
                returns, parameters, _ = declared[name]
                if is_treated(returns, parameters):
                    own = model.get("result", default) if not effects & {"allocate", "returns", "success"} else ""
                    granted = {e["granted"] for e in model["effects"] if not isinstance(e, str) and "granted" in e}
                    yield Function(name, own, returns, parameters, tuple(sorted(granted)))


def is_treated(returns, parameters):
    known = lambda t: t in INTEGER or t in ("double", "float") or t.endswith("*")
    return known(returns) and all(known(p) and "(" not in p for p in parameters)


def arguments(function, variant):
    """Sensible values by type; pointers lead to zeroed buffers, texts or streams."""
    out = []
    for index, kind in enumerate(function.parameters):
        if kind in INTEGER:
            out.append(NUMBERS[(variant + index * (variant > 2)) % len(NUMBERS)])
        elif kind in ("double", "float"):
            out.append(["1.5", "-1.0", "0.0", "1e300", "2.0"][variant % 5])
        elif "_IO_FILE" in kind:
            out.append("stdin" if variant % 2 else "stdout")
        elif kind == "char *":
            out.append(f"(void *)text{(variant + index) % 3}")
        else:
            out.append(f"(void *)buffer{index}")
    return out


BUFFERS = "\n".join(f"  static long buffer{i}[512];" for i in range(7)) + """
  static char text0[64] = "12", text1[64] = "nothing here", text2[64] = "r";
"""
RUNNER = """
static int ask(int number) {
%s
  long long r = 0; double d = 0; (void)buffer0; (void)text0; (void)text1; (void)text2;
  errno = 0;
  switch (number) {
%s
  default: return 0;
  }
  int e = errno;
  dprintf(9, "%%d %%lld %%a %%d\\n", number, r, d, e);
  return 0;
}
int main(int argc, char **argv) {
  for (int i = 0; i < atoi(argv[1]); i++) {
    pid_t child = fork();
    if (child == 0) { alarm(1); ask(i); _exit(0); }
    waitpid(child, 0, 0);
  }
  return 0;
}
"""


def run_calls(calls, compiler, folder):
    """call number -> (the number it returned, the real number, errno); calls that crash or wait have none."""
    lines = []
    for number, (function, values) in enumerate(calls):
        call = f"{function.name}({', '.join(values)})"
        text = f"r = ({call}) != 0" if function.returns.endswith("*") else f"r = (long long){call}"
        text = f"d = {call}" if function.returns in REAL else text
        lines.append(f"  case {number}: {text}; break;")
    source = folder / "calls.c"
    source.write_text("#define _GNU_SOURCE\n" + "".join(f"#include <{h}>\n" for h in HEADERS) +
                      RUNNER % (BUFFERS, "\n".join(lines)), encoding="utf-8")
    subprocess.run([compiler, "-std=gnu17", "-O0", "-w", "-pthread", str(source), "-o", str(folder / "calls"), "-lm"],
                   check=True)
    answers = folder / "answers"
    room = folder / "room"
    room.mkdir()
    with open(answers, "w", encoding="utf-8") as file:
        command = f"exec 9>&1 >/dev/null 2>/dev/null; exec {folder / 'calls'} {len(calls)}"
        subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=file, cwd=room, timeout=900)
    return {int(n): (int(v), d, int(e)) for n, v, d, e in (line.split() for line in answers.read_text().splitlines())}


def excluded(function, values):
    """Values of the type that the model's result does not have: beside its ends."""
    if function.returns not in INTEGER or function.result in ("", "number", "any", "null", "outside"):
        return []
    bits, is_signed = INTEGER[function.returns]
    low, high = (-2**(bits - 1), 2**(bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    inside = set()
    ends = []
    for part in function.result.split(" or "):
        first, dots, last = part.partition("..")
        first = bound(first, values, low)
        last = bound(last, values, high) if dots else first
        if first is None or last is None:
            return []
        inside.add((first, last))
        ends += [first - 1, last + 1]
    return [e for e in ends if low <= e <= high and not any(a <= e <= b for a, b in inside)]


def bound(text, values, otherwise):
    text = text.strip()
    if not text:
        return otherwise
    if text.startswith("arg "):
        number = int(values[int(text[4:])]) if re.fullmatch(r"-?\d+", values[int(text[4:])]) else -1
        return number if number >= 0 else None
    return int(text)


def program(function, values, test):
    """Main calls, the threads count if the result was the one that is asked for."""
    used = sorted({int(n) for v in values for n in re.findall(r"buffer(\d)", v)})
    texts = sorted({t for v in values for t in re.findall(r"text\d", v)})
    content = {"text0": "12", "text1": "nothing here", "text2": "r"}
    streams = [s for s in ("stdin", "stdout") if s in values]
    named = {p for p in [function.returns, *function.parameters]}
    structs = sorted({m for p in named for m in re.findall(r"(?:struct|union) \w+", p)})
    clean = lambda t: "void *" if "*" in t and not re.match(r"(char|void|struct|union|int|long|double|float|unsigned)", t) else t
    lines = [s + ";" for s in structs] + ["typedef unsigned long pthread_t;"]
    own = {"pthread_create", "pthread_join"}
    lines.append("int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);")
    lines += [f"extern struct _IO_FILE *{s};" for s in streams]
    if function.name not in own:
        lines.append(f"{clean(function.returns)} {function.name}({', '.join(clean(p) for p in function.parameters) or 'void'});")
    lines += ["int *__errno_location(void);", "#define errno (*__errno_location())", "int x, hit;", "void *count(void *a) { if (hit) x++; return 0; }", "int main(void) {"]
    lines += [f"  static long buffer{i}[512];" for i in used] + [f"  static char {t}[64] = \"{content[t]}\";" for t in texts]
    call = f"{function.name}({', '.join(values)})"
    lines.append(f"  errno = 0; {clean(function.returns)} r = {call}; hit = {test}; (void)r;")
    lines += ["  pthread_t t, u; pthread_create(&t, 0, count, 0); pthread_create(&u, 0, count, 0);",
              "  pthread_join(t, 0); pthread_join(u, 0); return 0;", "}"]
    return "\n".join(lines) + "\n"


def tests_of(function, value, real, error):
    """Of the result r and of errno: what came back."""
    yield f"errno == {error}"
    if function.returns.endswith("*"):
        yield "r != 0" if value else "r == 0"
    elif function.returns in REAL:
        yield "r != r" if "nan" in real else "r > 1e308" if real == "inf" else "r < -1e308" if real == "-inf" else f"r == {real}"
    else:
        literal = "(-9223372036854775807 - 1)" if value == -2**63 else str(value)
        yield f"r == ({function.returns}){literal}"


def questions(chosen, compiler, folder):
    """(text, what it may not say, name, assumptions that the proof may not use)"""
    calls = [(f, arguments(f, variant)) for f in chosen for variant in range(len(NUMBERS))]
    returned = run_calls(calls, compiler, folder)
    asked = set()
    for number, (function, values) in enumerate(calls):
        call = f"{function.name}({', '.join(values)})"
        for test in tests_of(function, *returned[number]) if number in returned else []:
            if (function.name, test) not in asked:
                asked.add((function.name, test))
                yield program(function, values, test), "race-free", f"{call} {test}, as it really was", function.granted
        for value in excluded(function, values):
            test = f"r == {value}"
            if (function.name, test) not in asked:
                asked.add((function.name, test))
                yield program(function, values, test), "racy", f"{call} {test}, which the model excludes", ()


def start_worker(heddle):
    global HEDDLE, BATCHES  # of this process
    HEDDLE, BATCHES = heddle, {}


def batch(static, without):
    if (static, without) not in BATCHES:
        BATCHES[static, without] = Batch(HEDDLE, 0, static, limit=60, modes=("none",), without=without)
    return BATCHES[static, without]


def ask(job):
    number, (text, wrong, name, without), folder = job
    path = folder / f"q{number}.c"
    path.write_text(text, encoding="utf-8")
    said = []
    for static in (True, False) if wrong == "race-free" else (True,):
        answer = batch(static, without).ask_file(str(path))
        if answer.trouble:
            return name, "trouble", f"{answer.trouble}: {answer.detail}", text
        said.append(answer.verdict)
    return name, "wrong" if wrong in said else "right", wrong if wrong in said else said[0], text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--every", type=int, default=1, help="only each N-th function")
    parser.add_argument("--only", help="functions whose name has this text")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    chosen = [f for f in functions(args.compiler) if not args.only or args.only in f.name][::args.every]
    counts, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        asked = list(questions(chosen, args.compiler, folder))
        start = {"initializer": start_worker, "initargs": (args.heddle,)}
        with concurrent.futures.ProcessPoolExecutor(args.jobs, **start) as pool:
            for (what, kind, said, text), (_, wrong, _, _) in zip(
                    pool.map(ask, [(n, q, folder) for n, q in enumerate(asked)], chunksize=4), asked):
                counts["value that came back" if wrong == "race-free" else "value that cannot be", said] += kind != "trouble"
                if kind != "right":
                    failed += 1
                    print(f"FAIL {what}: heddle says {said}\n{text}")
    for (which, said), count in sorted(counts.items()):
        print(f"{which:22} {said:10} {count}")
    print(f"{len(chosen)} functions")
    print(f"{len(asked) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
