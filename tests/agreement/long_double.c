// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double arithmetic and conversions.
#include <stdio.h>
int main(void) {
  long double a = 1.0L / 3, b = 1e18L + 1; double d = (double)a; printf("%.20Lf %.0Lf %.17g\n", a, b, d); long double s = 0; for (int i = 1; i < 50; i++) s += 1.0L / i; printf("%.18Lf\n", s); printf("%lld %d %d\n", (long long)b, (int)(a * 10), a > d);
  return 0;
}
