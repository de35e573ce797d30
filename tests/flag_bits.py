#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flags that share a word, and truth values: attacks on the judge `transaction`, and what it proves.

    tests/flag_bits.py --heddle build/release/heddle [--only NAME]

Each row is what each of two threads does, over and over, and declarations; the races are on `x`. Of the RACY rows each
scan must report it, and no `verify` may say race-free; of the SAFE rows a scan leaves no suspected race. The last line
is `N passed, M failed`.
"""
import sys

import attacks

HEAD = """#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum { A = 1, B = 2, C = 4, D = 1 << 30, TOP = 1u << 31 };
unsigned w; unsigned char c; uint64_t wide; bool yes, other;
struct bits { unsigned a : 1, b : 3, c : 1; } f;
union { unsigned all; unsigned char part[4]; unsigned short half[2]; } u;
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
"""


def taken(test, take, give):
    """Who finds that nobody has it takes it, works and gives it back."""
    return f"LOCK; int mine = {test}; if (mine) {{ {take}; }} UNLOCK; if (mine) {{ x++; LOCK; {give}; UNLOCK; }}"


PLAIN = taken("!(w & A)", "w |= A", "w &= ~A")
INVERSE = taken("w & A", "w &= ~A", "w |= A")
WHOLE = taken("!(u.all & A)", "u.all |= A", "u.all &= ~A")
UPPER = taken("!(u.all & 1 << 17)", "u.all |= 1 << 17", "u.all &= ~(1 << 17)")
BOOL = taken("!yes", "yes = true", "yes = false")
FIELD = taken("!f.a", "f.a = 1", "f.a = 0")
ALWAYS = "LOCK; w ^= {0}; UNLOCK;"

# name: what thread one does, what thread two does (none: the same), declarations
RACY = {
    "another bit is tested": (taken("!(w & B)", "w |= A", "w &= ~A"),),
    "another bit is set": (taken("!(w & A)", "w |= B", "w &= ~A"),),
    "set without the lock": (PLAIN, "w ^= B; x++;"),
    "cleared by all": (PLAIN, PLAIN + " LOCK; w = 0; UNLOCK;"),
    "cleared with its neighbour": (PLAIN, PLAIN + " LOCK; w &= ~(A | B); UNLOCK;"),
    "flipped": (PLAIN, PLAIN + " LOCK; w ^= A; UNLOCK;"),
    "flipped with others": (PLAIN, PLAIN + " LOCK; w ^= A | C; UNLOCK;"),
    "shifted out": (PLAIN, PLAIN + " LOCK; w >>= 1; UNLOCK;"),
    "shifted in": (taken("!(w & B)", "w |= B", "w &= ~B"), "LOCK; w |= A; w <<= 1; int mine = w & B; UNLOCK; if (mine) x++;"),
    "counted up": (PLAIN, PLAIN + " LOCK; w += 1; UNLOCK;"),
    "negated": (PLAIN, PLAIN + " LOCK; w = -w; UNLOCK;"),
    "inverted": (PLAIN, PLAIN + " LOCK; w = ~w; UNLOCK;"),
    "a bit that is computed": (PLAIN, PLAIN + " LOCK; w &= ~(1u << nd()); UNLOCK;"),
    "a mask that is any": (PLAIN, PLAIN + " LOCK; w &= nd(); UNLOCK;"),
    "one byte is cleared": (WHOLE, WHOLE + " LOCK; u.part[0] = 0; UNLOCK;"),
    "one half is cleared": (UPPER, UPPER + " LOCK; u.half[1] = 1; UNLOCK;"),
    "memset": (PLAIN, PLAIN + " LOCK; memset(&w, 0, sizeof w); UNLOCK;"),
    "memset with ones, inverse": (INVERSE, INVERSE + " LOCK; memset(&w, 0xff, sizeof w); UNLOCK;"),
    "memcpy": (PLAIN, PLAIN + " LOCK; memcpy(&w, &wide, sizeof w); UNLOCK;"),
    "through a pointer": (PLAIN, PLAIN + " unsigned *p = nd() ? &w : (unsigned *)&wide; LOCK; *p = 0; UNLOCK;"),
    "filled by the library": (PLAIN, PLAIN + " LOCK; snprintf((char *)&w, 4, \"\"); UNLOCK;",
                              "int snprintf(char *, unsigned long, const char *, ...);"),
    "taken by exchange": (PLAIN, PLAIN + " LOCK; __atomic_exchange_n(&w, 0, 5); UNLOCK;"),
    "compared and exchanged": (PLAIN, PLAIN + " unsigned old = nd(); __atomic_compare_exchange_n(&w, &old, 0, 0, 5, 5);"),
    "or, and not looked at": ("__atomic_fetch_or(&w, A, 5); x++;",),
    "or, and the wrong bit looked at": ("if (!(__atomic_fetch_or(&w, A, 5) & B)) { x++; __atomic_fetch_and(&w, ~A, 5); }",),
    "or, and the new value looked at": ("if (__atomic_or_fetch(&w, A, 5) & A) { x++; __atomic_fetch_and(&w, ~A, 5); }",),
    "nand": ("if (!(__atomic_fetch_or(&w, A, 5) & A)) { x++; __atomic_fetch_and(&w, ~A, 5); }",
             "if (!(__atomic_fetch_or(&w, A, 5) & A)) x++; __atomic_fetch_nand(&w, A, 5);"),
    "xor twice": ("if (!(__atomic_fetch_xor(&w, A, 5) & A)) x++;",),
    "either of two": (taken("!(w & (A | B)) || (w & C)", "w |= A", "w &= ~A"), PLAIN + " LOCK; w |= C; UNLOCK;"),
    "not both of two": (taken("(w & (A | B)) != (A | B)", "w |= A", "w &= ~A"),),
    "none of two, one is set": (taken("(w & (A | B)) != B", "w |= A", "w &= ~A"),),
    "the sign": (taken("!((int)w < 0)", "w |= A", "w &= ~A"),),
    "the highest bit, the lower one": (taken("!(w & TOP)", "w |= D", "w &= ~D"),),
    "of 64 bits, cut off": (taken("!((unsigned)wide & A)", "wide |= 1ull << 32", "wide = 0"),),
    "sign extended": (taken("!((long)(signed char)c & 256)", "c |= 64", "c = 0"),),
    "a bool, the other one": (taken("!other", "yes = true", "yes = false"),),
    "a bool, given back by all": (BOOL, BOOL + " LOCK; yes = false; UNLOCK;"),
    "a bool from a number": (taken("!yes", "yes = nd()", "yes = false"),),
    "a bool from another number": (taken("!yes", "yes = w & B", "yes = false"), BOOL + ALWAYS.format("B")),
    "a bool, byte by byte": (BOOL, BOOL + " LOCK; *(char *)&yes = 0; UNLOCK;"),
    "a bitfield, its neighbour": (taken("!f.a", "f.c = 1", "f.c = 0"),),
    "a bitfield, all": (FIELD, FIELD + " LOCK; f = (struct bits){0}; UNLOCK;"),
    "a bitfield of three": (taken("f.b != 5", "f.b = 4", "f.b = 0"),),
    "asked by a function": (taken("!is(w, B)", "w |= A", "w &= ~A"), None,
                            "static int is(unsigned v, unsigned mask) { return v & mask; }"),
    "asked of an old value": ("LOCK; unsigned old = w; UNLOCK; LOCK; int mine = !(old & A); if (mine) w |= A; UNLOCK; "
                              "if (mine) { x++; LOCK; w &= ~A; UNLOCK; }",),
    "an old value is written back": (PLAIN, PLAIN + " LOCK; unsigned old = w; UNLOCK; LOCK; w = old | B; UNLOCK;"),
    "what a loop read before": (
        "unsigned last = 0; for (int i = 0; i < 9; i++) { LOCK; int mine = !(last & A); last = w; if (mine) w |= A; "
        "UNLOCK; if (mine) x++; }",),
    "one of two words": (taken("!((nd() ? w : c) & A)", "w |= A", "w &= ~A"),),
    "handed to a function": (taken("!(w & A)", "set(&w, B)", "w &= ~A"), None,
                             "static void set(unsigned *p, unsigned mask) { *p |= mask; }"),
    "a wide mask": (taken("!(w & 0xff)", "w |= 0x100", "w = 0"),),
}
SAFE = {
    "one bit": (PLAIN,),
    "among others that change": (PLAIN, PLAIN + " LOCK; w ^= B; w |= C; w &= ~C; UNLOCK;"),
    "the highest bit but one": (taken("!(w & D)", "w |= D", "w &= ~D") + ALWAYS.format("TOP"),),
    "inverse": ("LOCK; if (!(w & B)) w |= A | B; UNLOCK; " + INVERSE,),
    "two bits": (taken("!(w & (A | B))", "w |= A", "w &= ~A"), taken("!(w & (A | B))", "w |= B", "w &= ~B")),
    "of 64 bits": (taken("!(wide & 1ull << 40)", "wide |= 1ull << 40", "wide &= ~(1ull << 40)"),
                   taken("!(wide & 1ull << 40)", "wide |= 1ull << 40", "wide &= ~(1ull << 40)") + "LOCK; wide ^= 1; UNLOCK;"),
    "a bool": (BOOL,),
    "a bool from a comparison": (taken("!yes", "yes = nd() >= 0 || 1", "yes = false"),),
    "a bitfield": (FIELD, FIELD + " LOCK; f.b = nd(); f.c ^= 1; UNLOCK;"),
    "by exchange": ("if (!(__atomic_fetch_or(&w, A, 5) & A)) { x++; __atomic_fetch_and(&w, ~A, 5); }",
                    "__atomic_fetch_xor(&w, B, 5);"),
    "waits for it": ("LOCK; while (w & A) { UNLOCK; LOCK; } w |= A; UNLOCK; x++; LOCK; w &= ~A; UNLOCK;",),
    "by functions": (taken("!is(w, A)", "set(&w, A)", "clear(&w, A)"), "LOCK; set(&w, B); UNLOCK;",
                     "static int is(unsigned v, unsigned mask) { return (v & mask) != 0; }"
                     "static void set(unsigned *p, unsigned mask) { *p |= mask; }"
                     "static void clear(unsigned *p, unsigned mask) { *p &= ~mask; }"),
    "handed over": ("LOCK; int mine = (w & (A | B)) == 0; if (mine) w |= A; UNLOCK; "
                    "if (mine) { x++; LOCK; w = (w & ~A) | B; UNLOCK; }",
                    "LOCK; int mine = (w & (A | B)) == B; UNLOCK; if (mine) { x++; LOCK; w &= ~B; UNLOCK; }"),
    "what was chosen": ("LOCK; unsigned v = w & A ? w : w | A; int mine = !(w & A); w = v; UNLOCK; "
                        "if (mine) { x++; LOCK; w &= ~A; UNLOCK; }",),
}


def program(one, two=None, declarations=""):
    return f"""{HEAD}int nd(void) {{ return rand() % 16; }}
{declarations}
void *first(void *a) {{
  for (;;) {{
    {one}
  }}
}}
void *second(void *a) {{
  for (;;) {{
    {two or one}
  }}
}}
int main(void) {{
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}}
"""


ROWS = {"racy: " + name: (program(*row), attacks.is_racy) for name, row in RACY.items()}
ROWS |= {"safe: " + name: (program(*row), attacks.is_safe) for name, row in SAFE.items()}
if __name__ == "__main__":
    sys.exit(attacks.run_all(__doc__, ROWS))
