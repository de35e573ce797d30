# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The inputs: what is in the files, how heddle is called, and what it has to say.

A case is made of
  files     name -> text or bytes, written into a fresh folder that is the current one
  arguments of heddle
  expect    the kind of answer, see run.py: "error", "unknown", "no-proof", "any"
  says      words that must stand on standard error (for "error") or on standard output
"""
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    arguments: list
    expect: str
    says: list = field(default_factory=list)
    files: dict = field(default_factory=dict)
    folders: list = field(default_factory=list)


def verify(name, text, expect, says=(), file="a.c", more=()):
    return Case(name, ["verify", file, *more], expect, list(says), {file: text})


THREADS = "#include <pthread.h>\n"
FINE = "int main(void) { return 0; }\n"


IR_OF_ANOTHER_LLVM = "define i32 @main() {\n  %1 = frobnicate i32 0\n  ret i32 %1\n}\n"
INVALID_IR = "define i32 @main() {\n  br label %a\na:\n  %x = add i32 %x, 1\n  ret i32 %x\n}\n"


def long_function(lines):
    body = "".join(f"  x += {i};\n" for i in range(lines))
    return f"int x;\nint main(void) {{\n{body}  return x;\n}}\n"


def recursion_through_pointers():
    return THREADS + """
typedef void (*step)(int);
static step next[2];
static int depth;
static void even(int n) { depth = n; if (n) next[1](n - 1); }
static void odd(int n) { depth = n; if (n) next[0](n - 1); }
static void *run(void *p) { (void)p; next[0](10); return 0; }
int main(void) {
  pthread_t a, b;
  next[0] = even;
  next[1] = odd;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""


def function_without_body():
    return THREADS + """
extern void mystery(int *);
static int shared;
static void *run(void *p) { (void)p; mystery(&shared); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  mystery(&shared);
  pthread_join(a, 0);
  return 0;
}
"""


SYSTEM = "int x, speed; void isr(void) { x = 1; } void task(void) { x = 2; } int main(void) { return x; }\n"


STRADDLED = "int x, y, z;\nvoid task(void) {\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  x = 1;\n}\n"
STRADDLING = ('[[entry]]\nfunction = "task"\nkind = "task"\npriority = 1\n'
              '[[entry]]\nfunction = "isr"\nkind = "interrupt"\npriority = 2\n')
TURNS = "raise 0 task\ngo 3\ntake 3\nraise 4 isr\ngo 4\n"


def kept_cases():
    """Schedules of `heddle depend --keep` that are damaged, or of another program."""
    def case(name, turns, *says, triple="triple x<R#3>,<W#7>,<R#4>", source="source a.c", more=""):
        text = f"heddle-schedule 1\n{source}\nmodels heddle.toml\n{more}{turns}{triple}\n"
        return Case(f"depend schedule: {name}", ["replay", "s"], "error", list(says),
                    {"a.c": STRADDLED, "heddle.toml": STRADDLING, "s": text})

    return [
        case("a source is missing", TURNS, "'gone.c'", "does not exist", source="source gone.c"),
        case("an OIL file is missing", TURNS, "'gone.oil'", "does not exist", more="oil gone.oil\n"),
        case("an entry that is not there", TURNS.replace("isr", "irq"), "s: turn 4: ", "no entry 'irq'"),
        case("a turn without a line", "raise task\n", "s:4: 'raise' takes the number of a line"),
        case("a turn in another line", TURNS.replace("raise 4", "raise 5"), "s: turn 4 of 5", "line 5", "line 4"),
        case("an entry that cannot come", TURNS.replace("raise 4 isr", "raise 4 task"), "turn 4 of 5",
             "'task' cannot come there"),
        case("an input where there is none", TURNS.replace("go 4", "go 4 1"), "turn 5 of 5", "nothing is asked for"),
        case("no turns", "", "all 0 turns were taken, and the triple did not happen"),
        case("turns behind the end", TURNS + "go 4\n", "turn 6 of 6", "has happened already"),
        case("a triple of other lines", TURNS, "no accesses of 'x'", triple="triple x<R#1>,<W#7>,<R#4>"),
        case("a triple that is none", TURNS, "'x<R#3>' is no triple", triple="triple x<R#3>"),
        case("it ends too early", TURNS, "ends without its 'race' line", triple=""),
        Case("depend --keep in a file", ["depend", "a.c", "--keep", "a.c/k"], "error", ["--keep 'a.c/k'"],
             {"a.c": STRADDLED, "heddle.toml": STRADDLING}),
        Case("depend --keep without runs", ["depend", "a.c", "--keep", "k", "--no-settle"], "error", ["--keep"],
             {"a.c": STRADDLED, "heddle.toml": STRADDLING}),
        Case("depend --keep with a tree", ["depend", "a.c", "--keep", "k", "--root", "x"], "error",
             ["--keep keeps triples"], {"a.c": STRADDLED, "heddle.toml": STRADDLING}),
    ]


def depend_cases():
    """What `heddle depend` says about a description that does not fit the program, or itself."""
    def entry(function, more=""):
        return f'[[entry]]\nfunction = "{function}"\nkind = "task"\n{more}\n'

    def case(name, toml, *says, more=(), files=()):
        return Case(f"depend: {name}", ["depend", "--entries", "a.c", *more], "error", list(says),
                    {"a.c": SYSTEM, "heddle.toml": toml, **dict(files)})

    return [
        Case("depend --entries with triples", ["depend", "--entries", "--format", "triples", "a.c"], "error",
             ["use --format text or json"], {"a.c": SYSTEM}),
        Case("depend with a root that is not there", ["depend", "a.c", "--root", "sped"], "error",
             ["root 'sped'", "did you mean 'speed'?"], {"a.c": SYSTEM}),
        Case("depend with a root elsewhere", ["depend", "a.c", "--root", "speed@task:99"], "error",
             ["'speed' is not used there"], {"a.c": SYSTEM}),
        Case("depend with a root that nobody uses", ["depend", "a.c", "--root", "speed"], "error",
             ["'speed' is never used"], {"a.c": SYSTEM}),
        Case("depend --slice without a line", ["depend", "a.c", "--slice", "speed"], "error",
             ["name a place too", "'speed@12'"], {"a.c": SYSTEM}),
        Case("depend --roots with --root", ["depend", "a.c", "--roots", "--root", "speed"], "error",
             ["leave out --root"], {"a.c": SYSTEM}),
        Case("depend --entries with --root", ["depend", "a.c", "--entries", "--root", "speed"], "error",
             ["--entries stands alone"], {"a.c": SYSTEM}),
        Case("depend --html without a tree", ["depend", "a.c", "--html", "t.html"], "error",
             ["--root or --from"], {"a.c": SYSTEM}),
        Case("depend --html in a missing folder", ["depend", "a.c", "--root", "x", "--html", "no/where/t.html"],
             "error", ["no/where"], {"a.c": SYSTEM}),
        Case("depend --depth 0", ["depend", "a.c", "--root", "speed", "--depth", "0"], "error", ["--depth"],
             {"a.c": SYSTEM}),
        case("an unknown entry", entry("taks"), "heddle.toml:1:1", "'taks'", "did you mean 'task'?"),
        case("an unknown key", entry("task", "priorty = 1"), "heddle.toml:4:1", "did you mean 'priority'?"),
        case("kind against context", entry("task", 'context = "hardirq"'), "contradict", "leave one out"),
        case("two priorities", entry("task", "priority = 1") + entry("task", "priority = 2"), "priority 2 here and 1"),
        case("a priority cycle", entry("task", 'above = "isr"') + entry("isr", 'above = "task"'),
             "form a cycle", "'task' above"),
        case("no cores", "[system]\ncores = 0\n", "heddle.toml:2:9", "between 1 and 1024"),
        case("an exclusion of itself", entry("task") + '[[exclusion]]\nentries = ["task", "task"]\nreason = "r"\n',
             "does not exclude itself"),
        case("an exclusion of nobody", entry("task") + '[[exclusion]]\nentries = ["task", "is"]\nreason = "r"\n',
             "'is', which is no entry"),
        case("an unknown variable", '[system]\nredundant = [["x", "sped"]]\n', "'sped'", "did you mean 'speed'?"),
        case("an OIL file with a mistake", '[system]\noil = "app.oil"\n', "app.oil:2", "expected ';'",
             files={"app.oil": "TASK task {\n PRIORITY = 1 }\n;"}.items()),
        case("a missing OIL file", '[system]\noil = "gone.oil"\n', "heddle.toml:2:7", "gone.oil"),
        case("a missing --oil", "", "gone.oil", more=["--oil", "gone.oil"]),
        case("garbage for OIL", "", "app.oil:1", more=["--oil", "app.oil"], files={"app.oil": b"\x00\xff{{{"}.items()),
    ]


def nested_blocks(depth):
    return "int x;\nint main(void) {" + "if (x) {" * depth + "x = 1;" + "}" * depth + " return 0; }\n"


def else_if_chain(length):
    return "int x;\nint main(void) {\n" + "".join(f"if (x == {i}) x = 1; else\n"
                                                  for i in range(length)) + "; return 0; }\n"


def long_sum(terms):
    return "int x;\nint main(void) { return " + " + ".join(["x"] * terms) + "; }\n"


def deep_struct(depth):
    text = "struct s0 { int v; };\n" + "".join(f"struct s{i} {{ struct s{i - 1} m; }};\n" for i in range(1, depth))
    return text + f"struct s{depth - 1} g;\nint main(void) {{ g.{'m.' * (depth - 1)}v = 1; return 0; }}\n"


def huge_array():
    return """
static int big[500000000];
static int far[1000000] = {[999999] = 1};
int main(void) { big[499999999] = far[999999]; return big[7]; }
"""


def deep_calls(depth):
    text = "int x;\nstatic void f0(void) { x = 1; }\n"
    text += "".join(f"static void f{i}(void) {{ f{i - 1}(); }}\n" for i in range(1, depth))
    return text + f"int main(void) {{ f{depth - 1}(); return 0; }}\n"


def big_switch(cases):
    body = "".join(f"case {i}: x = {i + 1}; break;\n" for i in range(cases))
    return f"int x;\nint main(void) {{ switch (x) {{\n{body}}} return 0; }}\n"


ENDLESS_TEMPLATE = "template <int N> struct A { static int f() { return A<N + 1>::f(); } }; int main() { return A<0>::f(); }\n"

RACY_THREAD = THREADS + """
int g;
static void *run(void *p) { (void)p; g = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, run, 0); g = 2; return 0; }
"""

def searched(body, threads="pthread_create(&t, 0, run, 0); pthread_create(&u, 0, run, 0);"):
    return THREADS + f"""
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int deep(int n) {{ return n == 0 ? x : deep(n - 1) + n; }}
static void *run(void *p) {{ {body} return p; }}
int main(void) {{ pthread_t t, u; {threads} return deep(3); }}
"""


CASES = [
    # Programs that are too much for a search: it is bounded, and says by what.
    Case("an empty bitcode file", ["verify", "a.bc"], "error", ["the file is empty", "make it again"], {"a.bc": b""}),
    Case("bitcode that is none", ["verify", "a.bc"], "error", ["LLVM cannot read it", "make it again"],
         {"a.bc": b"\x7fELF" * 40}),
    Case("bitcode cut after its magic", ["ir", "a.bc"], "error", ["LLVM cannot read it"],
         {"a.bc": b"BC\xc0\xde" + b"\x35\x14" * 30}),
    Case("IR with an unknown instruction", ["verify", "a.ll"], "error", ["line 2", "make it again"],
         {"a.ll": IR_OF_ANOTHER_LLVM}),
    Case("IR that breaks LLVM's rules", ["verify", "a.ll"], "error", ["its code is not valid"], {"a.ll": INVALID_IR}),
    Case("IR without debug information", ["verify", "a.ll"], "any", [],
         {"a.ll": "define i32 @main() {\n  ret i32 0\n}\n"}),
    Case("a folder called a.bc", ["verify", "a.bc"], "error", ["is a directory"], {}, ["a.bc"]),
    Case("an endless program", ["verify", "a.c", "--no-static"], "unknown", ["cut at its limit"],
         {"a.c": searched("for (;;) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }").replace("return deep(3)", "return 0")}),
    Case("a silent endless program", ["verify", "a.c", "--no-static"], "unknown", ["cut at its limit"],
         {"a.c": searched("for (volatile int i = 0;; i++) ;")}),
    Case("10 000 threads", ["verify", "a.c", "--no-static"], "unknown", ["a limit was met: threads"],
         {"a.c": searched("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
                          "for (int i = 0; i < 10000; i++) pthread_create(&t, 0, run, 0);")}),
    Case("gigabytes of heap", ["verify", "a.c", "--no-static"], "unknown", ["a limit was met: heap"],
         {"a.c": searched("for (int i = 0; i < 64; i++) { volatile char *c = malloc(1 << 28); c[i] = 1; }")}),
    Case("deep recursion in a search", ["verify", "a.c", "--no-static"], "unknown", ["a limit was met"],
         {"a.c": searched("return deep(100000000) ? p : 0;")}),
    # The command line.
    Case("no command", [], "error", ["--help"]),
    Case("unknown command", ["frobnicate"], "error", ["frobnicate"]),
    Case("a misspelt command", ["scna"], "error", ["did you mean 'scan'?"]),
    Case("a misspelt option", ["verify", "a.c", "--limt", "3"], "error", ["did you mean '--limit'?"], {"a.c": FINE}),
    Case("help for an unknown command", ["help", "scna"], "error", ["did you mean 'scan'?"]),
    Case("invalid --only", ["scan", "a.c", "--only", "surely"], "error", ["surely", "likely"], {"a.c": FINE}),
    Case("invalid --color", ["scan", "a.c", "--color", "red"], "error", ["red", "never"], {"a.c": FINE}),
    Case("no file given", ["verify"], "error", ["FILE"]),
    Case("missing file", ["verify", "nowhere.c"], "error", ["nowhere.c", "no such file"]),
    Case("a directory", ["verify", "folder"], "error", ["folder", "directory"], folders=["folder"]),
    Case("an unknown option", ["verify", "a.c", "--frob"], "error", ["--frob"], {"a.c": FINE}),
    Case("invalid --data-model", ["verify", "a.c", "--data-model", "LP65"], "error", ["LP65"], {"a.c": FINE}),
    Case("invalid --format", ["verify", "a.c", "--format", "xml"], "error", ["xml"], {"a.c": FINE}),
    Case("invalid --step-budget", ["verify", "a.c", "--step-budget", "-1"], "error", ["--step-budget"], {"a.c": FINE}),
    Case("missing --models", ["verify", "a.c", "--models", "m.toml"], "error", ["m.toml"], {"a.c": FINE}),
    Case("broken --models", ["verify", "a.c", "--models", "m.toml"], "error", ["m.toml"],
         {"a.c": FINE, "m.toml": "[[function]\nname = 3"}),
    Case("broken heddle.toml", ["verify", "a.c"], "error", ["heddle.toml"],
         {"a.c": FINE, "heddle.toml": "[[function]]\nname = \"f\"\neffects = [{ kind = \"frobnicate\" }]\n"}),
    *depend_cases(),
    *kept_cases(),
    Case("-o in a missing folder", ["verify", "a.c", "-o", "no/where/r.txt"], "error", ["no/where"], {"a.c": FINE}),
    Case("-o is a directory", ["verify", "a.c", "-o", "folder"], "error", ["folder"], {"a.c": FINE}, ["folder"]),
    Case("-o on a full disk", ["verify", "a.c", "-o", "/dev/full"], "error", ["/dev/full"], {"a.c": FINE}),
    Case("an unknown clang flag", ["verify", "a.c", "--", "--frobnicate"], "error", ["frobnicate"], {"a.c": FINE}),
    Case("ir of a missing file", ["ir", "nowhere.c"], "error", ["nowhere.c"]),
    Case("models of a missing file", ["models", "nowhere.c"], "error", ["nowhere.c"]),
    Case("models of an unknown profile", ["models", "--profile", "kernal"], "error", ["kernal", "kernel, libevent"]),
    Case("models proposed without a project", ["models", "--propose"], "error", ["heddle capture"]),
    Case("a scan without a project", ["scan"], "error", ["heddle capture"]),
    Case("a suppression that is none", ["scan", "a.c", "--suppressions", "s.supp"], "error",
         ["s.supp:2", "race:PATTERN"],
         {"a.c": "int main(void) { return 0; }\n", "s.supp": "race:fine\nrase:typo\n"}),
    Case("suppressions that are not there", ["scan", "a.c", "--suppressions", "s.supp"], "error", ["cannot be read"],
         {"a.c": "int main(void) { return 0; }\n"}),
    Case("a baseline that is no report", ["scan", "a.c", "--baseline", "b.json"], "error", ["report.json"],
         {"a.c": "int main(void) { return 0; }\n", "b.json": "[]"}),
    Case("an unknown profile of a scan", ["scan", "a.c", "--profile", "kernal"], "error", ["kernel"],
         {"a.c": "int main(void) { return 0; }\n"}),
    Case("an assumption that does not exist", ["scan", "a.c", "--without", "one-parents"], "error", ["one-parent"],
         {"a.c": "int main(void) { return 0; }\n"}),
    Case("explain without a report", ["explain", "3f"], "error", ["heddle scan", "--report FILE"]),
    Case("explain of a report that is not there", ["explain", "3f", "--report", "r.json"], "error", ["r.json"]),
    Case("explain of a report that is none", ["explain", "3f", "--report", "r.json"], "error",
         ["report.json of heddle"],
         {"r.json": "[]"}),
    Case("explain of an unknown ID", ["explain", "3f9", "--report", "r.json"], "error", ["the nearest are 3f2a"],
         {"r.json": '{"races": [{"id": "3f2a"}, {"id": "77"}]}'}),
    Case("explain of too short an ID", ["explain", "3f", "--report", "r.json"], "error", ["2 IDs", "3f2a", "3f2b"],
         {"r.json": '{"races": [{"id": "3f2a"}, {"id": "3f2b"}]}'}),
    # Files that are not a program.
    verify("an empty file", "", "error", ["main"]),
    verify("no function main", "int f(void) { return 0; }\n", "error", ["main"]),
    verify("main is only declared", "int main(void);\n", "error", ["main"]),
    verify("a syntax error", "int main(void) { return 0 }\n", "error", ["a.c:1:"]),
    verify("a missing header", '#include "nowhere.h"\nint main(void) { return 0; }\n', "error", ["nowhere.h"]),
    verify("a type error", "int main(void) { struct s x; return 0; }\n", "error", ["a.c:1:"]),
    verify("binary garbage", bytes(range(256)) * 64, "error", ["a.c"]),
    verify("an ELF header as C", b"\x7fELF\x02\x01\x01" + b"\0" * 4096, "error", ["a.c"]),
    verify("broken bitcode", b"BC\xc0\xde" + b"\xff" * 999, "error", ["a.bc"], file="a.bc"),
    verify("a broken preprocessed file", "# 1 \"x.c\"\nint main(\n", "error", file="a.i"),
    verify("a name without a suffix", FINE, "any", file="program"),
    Case("two definitions of main", ["verify", "a.c", "b.c"], "error", ["main"], {"a.c": FINE, "b.c": FINE}),
    Case("one good and one bad file", ["verify", "a.c", "b.c"], "error", ["b.c:1:"],
         {"a.c": FINE, "b.c": "int x = ;\n"}),
    # Programs at the edge of what can be done.
    verify("bytes that are not UTF-8", b"/* caf\xe9 */ int main(void) { return \"\xff\xfe\"[0]; }\n", "any"),
    verify("a file name that is not UTF-8", FINE, "any", file=b"caf\xe9.c", more=["--format", "json"]),
    verify("a function without a body", function_without_body(), "no-proof", ["mystery"]),
    verify("recursion through function pointers", recursion_through_pointers(), "no-proof"),
    verify("a small step budget", RACY_THREAD, "no-proof", more=["--step-budget", "1"]),
    verify("a function of 100 000 lines", long_function(100_000), "any"),
    verify("200 nested blocks", nested_blocks(200), "any"),
    verify("20 000 nested blocks", nested_blocks(20_000), "any"),
    verify("5 000 else-ifs", else_if_chain(5_000), "any"),
    verify("a sum of 20 000 terms", long_sum(20_000), "any"),
    verify("a sum of 200 000 terms", long_sum(200_000), "any"),
    verify("a switch of 20 000 cases", big_switch(20_000), "any"),
    verify("a file that includes itself", '#include "a.c"\nint main(void) { return 0; }\n', "error", ["a.c:1:"]),
    verify("templates without end", ENDLESS_TEMPLATE, "error", ["a.cpp:1:"], file="a.cpp"),
    verify("structs nested 200 deep", deep_struct(200), "any"),
    verify("a chain of 3 000 calls", deep_calls(3_000), "any"),
    verify("a huge array", huge_array(), "any"),
    verify("endless recursion", "int x;\nvoid f(void) { x++; f(); }\nint main(void) { f(); return 0; }\n", "any"),
    verify("inline assembly", 'int main(void) { __asm__ volatile("nop"); return 0; }\n', "any"),
    verify("a jump to a computed address",
           "int main(int c, char **v) { void *t[] = {&&a, &&b}; (void)v; goto *t[c & 1]; a: return 1; b: return 2; }\n",
           "any"),
]
