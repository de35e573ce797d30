// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static int depth;
static void dive(int n) { depth = n; if (n == 0) longjmp(back, 7); dive(n - 1); }
static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int (*choose(int k))(int, int) { return k ? add : mul; }
static void bye(void) { puts("bye"); }
static void bye2(void) { puts("bye2"); }
int main(int argc, char **argv) {
  atexit(bye); atexit(bye2);
  int r = setjmp(back);
  if (r == 0) dive(10); else printf("jumped %d at %d\n", r, depth);
  int (*table[])(int, int) = {add, mul, choose(0), choose(1)};
  for (int i = 0; i < 4; i++) printf("%d ", table[i](6, 7));
  printf("%d %d %d\n", fact(10), ackermann(2, 6), argc);
  int i = 0, n = 0;
again:
  if (i++ < 10) { if (i % 3) goto again; n += i; goto again; }
  static void *labels[] = {&&one, &&two, &&three};
  for (i = 0; i < 5; i++) { goto *labels[i % 3]; one: n += 1; continue; two: n += 10; continue; three: n += 100; }
  do { switch (n & 3) { case 0: n += 1; case 1: n += 2; break; case 2: n -= 1; break; default: n = n * 2 + 1; } } while (n < 1000);
  printf("%d\n", n);
  exit(n & 63);
}
