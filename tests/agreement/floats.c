// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <math.h>
#include <stdio.h>
int main(void) {
  float f = 0; double d = 0; long double l = 0;
  for (int i = 1; i < 50; i++) { f += 1.0f / (float)i; d += 1.0 / i; l += 1.0L / i; }
  printf("%.9g %.17g %.20Lg\n", f, d, l);
  printf("%g %g %g %g %g\n", sqrt(2), pow(2, 0.5), sin(1), floor(-1.5), fmod(7.5, 2));
  printf("%d %d %u %lld %d\n", (int)3.99, (int)-3.99, (unsigned)3e9, (long long)1e15, (int)(float)16777217);
  printf("%g %g %g %d %d\n", (double)(1ULL << 63), (double)(float)0.1, (double)-5LL, 0.1 + 0.2 == 0.3, 0.1f == 0.1);
  double zero = 0, inf = 1 / zero, nan = zero / zero;
  printf("%d %d %d %d %g %g\n", nan == nan, nan < 1, nan != nan, inf > 1e308, inf, -inf);
  printf("%d %d %d %.3f\n", isnan(nan) != 0, isinf(inf) != 0, signbit(-0.0) != 0, (double)fabsf(-2.5f));
  union { float f; unsigned u; } pun = {1.5f}; union { double d; unsigned long long u; } wide = {-2.0};
  printf("%x %llx %Lg\n", pun.u, wide.u, -l + 1);
  return (int)(d * 10);
}
