// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double in text: every conversion and flag of printf, strtold, sscanf.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static void say(const char *f, ...) { char s[400]; va_list a, b; va_start(a, f); va_copy(b, a); int n = vsnprintf(s, sizeof s, f, a); va_end(a); printf("%d %s|", n, s); vprintf(f, b); putchar('\n'); va_end(b); }
static const char *texts[] = {"0x1p-16445", "0x1.8p-16445", "1e-4950", "1e5000", "-1e5000", "nan(123)", "-nan", "NaN(zz)", "infinityx", "-INF", "0x.8p1", "0x", "0xg", "1e", "1e+", "  -.5e-2z", ".", "1e-5000", "0x1.ffffffffffffffffp0", "nan(", "in", "0x1p",
  "1.18973149535723176502e+4932", "1.1897314953572317651e+4932", "1.18973149535723176508575932662800702e+4932", "0x1p-16494", "0x1p-16495", "0x1.1p-16495", "3.3621031431120935e-4932", "0.1", "123456789012345678901234567890", "1e400", "0x0.00000001p40", "+7", "", "--1", "00000000000000000000001.5"};
int main(void) {
  long double v[] = {0.0L, -0.0L, 1.0L, 1.5L, 0xa.ffp0L, 0xf.ffp0L, 0xf.f8p0L, 0xf.e8p0L, 0x1.fffffffp0L, 3e-4940L, 1e4932L, -123456.789L, 9.9995L, 0.00001234L, 1e15L, 2.5L, 0.125L, 99999999999.5L, 1 / 3.0L, 1e100L};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    printf("%La %.1La %.0La %.20La %#.0La %30.3LA|%-30.2La|%030.4La|%+La|% La\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%Lg %LG %Le %LE %.3Lg %#Lg %.0Le %#.0Le %.30Lg|%20.5Le|%-20.3Lg|%020.2Le|%+.2Lg|% Lg\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    if (v[i] < 1e40L) printf("%Lf %.0Lf %#.0Lf %.25Lf|%30.3Lf|%-30.1Lf|%030.2Lf|%+Lf|% .1Lf|%*.*Lf\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], 25, 4, v[i]);
    say("%d %Lf %s %.20Lg %g %La %lld", 7, v[i] < 1e40L ? v[i] : 0.0L, "s", v[i], 0.5, v[i], 1LL << 40);
  }
  volatile long double none = 0;
  printf("%Lf %LF %10Lf|%-10LG|%010Le %La\n", 1 / none, -1 / none, 1 / none, -1 / none, 1 / none, 1 / none);
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end; errno = 0; long double x = strtold(texts[i], &end); int error = errno; double d = strtod(texts[i], 0); float f = strtof(texts[i], 0);
    printf("'%s': %La %d %d %a %a\n", texts[i], x, error == ERANGE, (int)(end - texts[i]), d, (double)f);
  }
  long double a = 0, b = 0; double c = 0; float d = 0; int n = sscanf("1.1 -2.25e3 0.3 4e-3", "%Lf %Lg %lf %f", &a, &b, &c, &d);
  printf("%d %La %La %a %a\n", n, a, b, c, (double)d);
  return n;
}
