// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// setjmp and longjmp: over several frames, several times, out of a loop.
#include <setjmp.h>
#include <stdio.h>
static jmp_buf outer, inner;
static void deep(int n) { if (n == 0) longjmp(outer, 3); deep(n - 1); }
static int guarded(int v) { int r = setjmp(inner); if (r) return r * 10; if (v) longjmp(inner, v); return -1; }
int main(void) {
  volatile int tries = 0; int r = setjmp(outer); printf("back %d\n", r);
  if (++tries < 3) deep(5);
  printf("%d %d %d\n", guarded(0), guarded(4), guarded(7)); printf("%d\n", tries);
  return setjmp(inner) == 0 ? 5 : 6;
}
