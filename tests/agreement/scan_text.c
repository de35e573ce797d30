// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sscanf: every conversion, widths, sets, suppression, failures.
#include <stdio.h>
int main(void) {
  int a = 0, b = 0, n = 0; unsigned u = 0; long l = 0; long long ll = 0; short h = 0; signed char hh = 0; float f = 0; double d = 0; char s[20] = "", t[20] = "", c[4] = "";
  printf("%d", sscanf("12 -7 ff 077", "%d %d %x %o", &a, &b, &u, (unsigned *)&n)); printf(" %d %d %u %d\n", a, b, u, n);
  printf("%d", sscanf("0x1f 010 9", "%i %i %i", &a, &b, &n)); printf(" %d %d %d\n", a, b, n);
  printf("%d", sscanf("300 70000 5000000000 -9", "%hhd %hd %ld %lld", &hh, &h, &l, &ll)); printf(" %d %d %ld %lld\n", hh, h, l, ll);
  printf("%d", sscanf("  3.5e2 -.25", "%f%lf", &f, &d)); printf(" %g %g\n", f, d);
  printf("%d", sscanf("hello world", "%3s%s", s, t)); printf(" [%s][%s]\n", s, t);
  printf("%d", sscanf("key=value;rest", "%[^=]=%[a-z];%n", s, t, &n)); printf(" [%s][%s] %d\n", s, t, n);
  printf("%d", sscanf("a b c", "%c%*c%c", &c[0], &c[1])); printf(" %c%c\n", c[0], c[1]);
  printf("%d %d %d\n", sscanf("x", "%d", &a), sscanf("", "%d", &a), sscanf("12abc", "%2d%3s", &a, s));
  printf("%d %d [%s]\n", a, sscanf("100%", "%d%%", &b), s);
  printf("%d %d\n", sscanf("- 5", "%d", &a), sscanf("5,6", "%d,%d", &a, &b));
  return 0;
}
