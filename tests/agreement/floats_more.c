// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float classification, rounding, conversions at the edges, NaN and infinities.
#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
  volatile double z = 0, inf = 1 / z, nan_ = z / z; volatile float f = 16777217.0f, tiny = FLT_MIN / 4; printf("%g %g %d %d %d\n", inf, -inf, nan_ == nan_, isnan(nan_) != 0, isinf(inf) != 0); printf("%.1f %g %d\n", f, tiny, fpclassify(tiny) == FP_SUBNORMAL);
  double v[] = {2.5, -2.5, 3.49, -0.4, 1e15 + .5}; for (int i = 0; i < 5; i++) printf("%g %g %g %g %g %ld\n", floor(v[i]), ceil(v[i]), round(v[i]), trunc(v[i]), rint(v[i]), lround(v[i]));
  printf("%d %d %u %lld\n", (int)3.99, (int)-3.99, (unsigned)4e9, (long long)1e18); printf("%.17g %.9g\n", 0.1 + 0.2, 0.1f + 0.2f); printf("%g %g %g %g\n", fmod(7.5, 2), pow(2, 0.5), hypot(3, 4), fabs(-0.0)); int e; double m = frexp(48.0, &e), w; printf("%g %d %g %g %g\n", m, e, ldexp(m, 3), modf(-3.25, &w), w); printf("%d %d %g\n", signbit(-0.0) != 0, 0.0 == -0.0, copysign(3, -1)); printf("%.6f %.6f %.6f\n", sin(1), atan2(1, -1), log10(1000));
  return 0;
}
