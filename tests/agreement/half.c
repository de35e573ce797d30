// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _Float16: sixteen bits, converted and computed with one rounding.
#include <stdio.h>
#include <string.h>
static unsigned bits(_Float16 h) { unsigned short s; memcpy(&s, &h, 2); return s; }
int main(void) {
  double v[] = {0, -0.0, 1, 1.0009765625, 1.00048828125, 1.0014648438, 65504, 65519.99, 65520, 6e-8, 2.9e-8, 3e-8, 6.1e-5, 6.09e-5, 0.1, -3.14159, 1e10, 2048.5, 2049, 2051};
  int n = (int)(sizeof v / sizeof *v);
  for (int i = 0; i < n; i++) {
    _Float16 a = (_Float16)v[i], f = (_Float16)(float)v[i]; printf("%04x %04x %a", bits(a), bits(f), (double)a);
    for (int j = 0; j < n; j += 3) { _Float16 b = (_Float16)v[j], sum = a + b, product = a * b; printf(" %04x %04x %d%d", bits(sum), bits(product), a < b, a == b); if (v[j] != 0) { _Float16 q = a / b; printf(" %04x", bits(q)); } }
    if (v[i] < 65504) printf(" %d", (int)a);
    printf("\n");
  }
  _Float16 s = 0; for (int i = 1; i < 200; i++) { s += (_Float16)1 / (_Float16)i; s = -s; } printf("%04x %04x\n", bits(s), bits((_Float16)12345));
  return 0;
}
