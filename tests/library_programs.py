# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls of library functions whose result is fixed by their arguments, for tests/interpret_agreement.py: what
the interpreter's own code returns is held against what the C library does.

A row of CALLS has the text of a call; `{i}`, `{l}`, `{c}`, `{t}`, `{n}`, `{d}` stand for a random int, long, byte,
text, small count and real number. Signs only are printed of results of which the library tells no more. Functions that
C libraries round differently (cbrt, hypot) are left out.
"""
import random

SIGN = ["strcmp({t}, {t})", "strncmp({t}, {t}, {n})", "strcasecmp({t}, {t})", "strncasecmp({t}, {t}, {n})",
        "strcoll({t}, {t})", "strverscmp({v}, {v})", "memcmp({w}, {w}, 3)"]
TRUTH = [f"{name}({{c}})" for name in
         ("isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
          "isupper", "isxdigit", "iswalpha", "iswdigit", "iswspace", "iswupper", "iswpunct", "isascii")]
TRUTH += ["isnan({d})", "isinf({d})", "isfinite({d})", "raise(0)", "kill(getpid(), 0)", "getpid() == getpid()",
          "getppid() == getpid()", "getpid() == gettid()", "getuid() == getuid()", "getpagesize() == 4096",
          "isatty(-1)", "close(-1)", "listen(-1, 1)", "ftruncate(-1, 0)", "flock(-1, 2)", "dup2(-1, 3)",
          "write(-1, \"a\", 1)", "sysconf(_SC_PAGESIZE) == 4096", "getenv(\"A=B\") == 0", "fopen(\"\", \"r\") == 0"]
NUMBER = ["htonl({i})", "htons({i})", "ntohl({i})", "ntohs({i})", "ffs({i})", "ffsl({l})", "ffsll({l})", "abs({i} / 2)",
          "labs({l} / 2)", "div({i}, {p}).quot", "div({i}, {p}).rem", "ldiv({l}, {p}).quot", "ldiv({l}, {p}).rem",
          "lldiv({l}, {p}).rem", "toupper({c})", "tolower({c})", "towupper({c})", "toascii({i})", "strlen({t})",
          "strnlen({t}, {n})", "strspn({t}, {t})", "strcspn({t}, {t})", "atoi({v})", "strtol({v}, 0, 0)",
          "strtoul({v}, 0, 16)", "sched_get_priority_max({n} % 6)", "sched_get_priority_min({n} % 6)",
          "lround({d})", "rand()", "lrand48()", "mrand48()", "rand_r(&seed)", "btowc({c})", "fpclassify({d})"]
PLACE = ["strchr(text, {c})", "strrchr(text, {c})", "strchrnul(text, {c})", "strstr(text, {t})", "strcasestr(text, {t})",
         "strpbrk(text, {t})", "memchr(text, {c}, 5)", "memrchr(text, {c}, 5)", "memmem(text, 8, {t}, 1)",
         "rindex(text, {c})", "index(text, {c} | 1)"]
FILL = ["strncpy(buffer, {t}, {n})", "stpncpy(buffer, {t}, {n})", "memccpy(buffer, \"a,b;c\", {c}, 5)",
        "strcpy(buffer, {t})", "stpcpy(buffer, {t})", "mempcpy(buffer, \"abc\", 2)"]
REAL = ["difftime({i}, {i})", "floor({d})", "ceil({d})", "trunc({d})", "round({d})", "rint({d})",
        "fabs({d})", "fmod({d}, 3.5)", "fmax({d}, {d})", "copysign({d}, {d})", "ldexp({d}, {n})", "drand48()",
        "nextafter({d}, 2)", "strtod({v}, 0)", "nan(\"\") == nan(\"\")"]
HEADERS = ["arpa/inet.h", "ctype.h", "fcntl.h", "math.h", "sched.h", "signal.h", "stdio.h", "stdlib.h", "string.h",
           "strings.h", "sys/file.h", "sys/socket.h", "time.h", "unistd.h", "wchar.h", "wctype.h"]


class LibraryGenerator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def fill(self, call):
        r = self.random
        letters = lambda some: '"' + "".join(r.choice(some) for _ in range(r.randrange(6))) + '"'
        real = lambda: r.choice(["0.0", "-0.0", "1e300", "(1.0 / 0.0)", "5e-324", str(r.uniform(-99, 99))])
        makers = {"{i}": lambda: str(r.randrange(-2**31 + 1, 2**31)), "{l}": lambda: f"{r.randrange(-2**62, 2**62)}L",
                  "{c}": lambda: str(r.randrange(128)), "{t}": lambda: letters("abAB,01 "), "{n}": lambda: str(r.randrange(9)),
                  "{w}": lambda: '"' + "".join(r.choice("aab") for _ in range(3)) + '"',
                  "{v}": lambda: letters("0019a.-x "), "{p}": lambda: str(r.choice([1, 2, 3, 7, -2, -5, 1000])),
                  "{d}": real}
        for key, make in makers.items():
            while key in call:
                call = call.replace(key, make(), 1)
        return call

    def line(self):
        r = self.random
        kind, calls, text = r.choice([
            ("sign", SIGN, '  r = {0}; printf("%d\\n", (r > 0) - (r < 0));'), ("truth", TRUTH, '  printf("%d\\n", !!({0}));'),
            ("number", NUMBER, '  printf("%lld\\n", (long long)({0}));'),
            ("place", PLACE, '  p = {0}; printf("%d\\n", p ? (int)((char *)p - text) : -1);'),
            ("fill", FILL, '  memset(buffer, 7, 40); p = {0}; printf("%d", p ? (int)((char *)p - buffer) : -1); '
                           'for (int i = 0; i < 12; i++) printf(" %d", buffer[i]); puts("");'),
            ("real", REAL, '  printf("%a\\n", (double)({0}));')])
        return text.replace("{0}", self.fill(r.choice(calls)))

    def program(self):
        head = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}>\n" for name in HEADERS)
        body = "\n".join(self.line() for _ in range(40))
        return (head + "int main(void) {\n  char buffer[64]; const char *text = \"a,B01 aB,\"; const void *p; int r; "
                "unsigned seed = 5;\n  (void)p; (void)r; (void)seed; (void)buffer;\n" + body + "\n  return 0;\n}\n")
