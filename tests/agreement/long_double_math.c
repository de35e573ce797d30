// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <math.h> for long double: what is exact in all bits, the rest to fifteen digits.
#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  long double v[] = {0.0L, -0.0L, 0.5L, -0.5L, 1.5L, 2.5L, -2.5L, 3.7L, -3.7L, 1e18L + 0.5L, LDBL_MAX, LDBL_MIN / 4, -1e-30L, 7.25L};
  int size = (int)(sizeof v / sizeof *v);
  for (int i = 0; i < size; i++) {
    long double x = v[i], whole; int e = 0; long double part = frexpl(x, &e), rest = modfl(x, &whole);
    printf("%La %La %La %La %La %La %La\n", fabsl(x), floorl(x), ceill(x), truncl(x), roundl(x), rintl(x), nearbyintl(x));
    printf("%La %d %La %La %La %La\n", part, e, rest, whole, ldexpl(x, 5), scalbnl(x, -16400));
    printf("%d %d %d %d %d %d\n", !!isnan(x), !!isinf(x), !!isfinite(x), !!isnormal(x), !!signbit(x), fpclassify(x) == FP_SUBNORMAL);
    if (x >= 0) printf("%La %.15Lg\n", sqrtl(x), cbrtl(27.0L));
    if (fabsl(x) < 1e18L) printf("%ld %lld %ld %lld\n", lroundl(fmodl(x, 1e9L)), llroundl(x), lrintl(fmodl(x, 1e9L)), llrintl(x));
    for (int j = 0; j < size; j++)
      printf("%La %La %La %La %La %La %La\n", v[j] != 0 && fabsl(x) < 1e30L && fabsl(v[j]) > 1e-9L ? fmodl(x, v[j]) : 0, fminl(x, v[j]) + 0.0L, fmaxl(x, v[j]) + 0.0L, copysignl(x, v[j]), fdiml(x, v[j]), nextafterl(x, v[j]), fmal(x, v[j], 1.0L));
  }
  for (long double x = 0.1L; x < 3; x += 0.7L)
    printf("%.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg\n", sinl(x), cosl(x), tanl(x), expl(x), logl(x), log2l(x), log10l(x), powl(x, 2.5L), atan2l(x, 2), hypotl(x, 1));
  printf("%.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg %.15Lg\n", asinl(0.5L), acosl(0.5L), atanl(0.5L), sinhl(1), coshl(1), tanhl(1), exp2l(0.5L));
  printf("%.15Lg %.15Lg %Lg %Lg %d\n", expm1l(1e-10L), log1pl(1e-10L), remainderl(7, 4), logbl(10), ilogbl(10));
  double d[] = {0.1, 1e300, 3.0}; float f[] = {0.1f, 1e30f, 3.0f};
  for (int i = 0; i < 3; i++) printf("%a %a %a %a\n", d[i] * d[(i + 1) % 3] + d[2], (double)(f[i] * f[(i + 1) % 3] + f[2]), fma(d[i], d[2], -d[0]), d[i] * 3 - d[1]);
  for (int i = 0; i < 3; i++) { long double x = d[i], y = d[2]; printf("%La %La\n", x * y + x, x * y - d[0]); }
  volatile double zero = 0; volatile float small = 0; printf("%f %f %f %f\n", zero / zero, -(zero / zero), (double)(small / small), sqrt(zero - 1));
  return 0;
}
