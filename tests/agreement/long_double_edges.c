// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double at its edges: subnormal numbers, overflow, signed zeros, infinities, NaNs, ties, conversions that round once.
#include <float.h>
#include <stdio.h>
#include <string.h>
static long double values[24];
static int count;
static void add(long double x) { values[count++] = x; }
static void show(const char *what, long double x) { printf("%s %La\n", what, x); }
static void casts(long double x) {
  double d = (double)x; float f = (float)x; long double back = d, narrow = f;
  printf("%a %a %La %La %d\n", d, (double)f, back, narrow, (back == x) + 2 * (back < x) + 4 * (back != back));
  if (x > -9.2e18L && x < 9.2e18L) printf("%lld %d\n", (long long)x, x > -2e9L && x < 2e9L ? (int)x : 0);
  if (x > -0.9L && x < 1.8e19L) printf("%llu\n", (unsigned long long)x);
}
static void bytes(long double x) {
  unsigned char raw[sizeof x]; memcpy(raw, &x, sizeof x);
  for (int i = LDBL_MANT_DIG == 64 ? 9 : (int)sizeof x - 1; i >= 0; i--) printf("%02x", raw[i]);
  putchar('\n');
}
int main(void) {
  long double zero = 0, one = 1, three = 3;
  add(zero); add(-zero); add(one); add(-one / three); add(LDBL_MIN); add(-LDBL_MAX); add(LDBL_EPSILON / 2); add(one + LDBL_EPSILON); add(one / zero); add(-one / zero); add(zero / zero);
  add(LDBL_MIN / 3); add(LDBL_TRUE_MIN); add(1e300L * 1e300L); add(DBL_MIN / three); add(FLT_MAX + FLT_MAX * 2.9802322387695312e-08L); add(9007199254740993.0L); add(18446744073709551615.0L); add(-0.5L); add(16777217.0L);
  for (int i = 0; i < count; i++) { casts(values[i]); bytes(values[i]); bytes(-values[i]); }
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      long double a = values[i], b = values[j];
      printf("%d %d %d%d%d%d%d%d ", i, j, a < b, a <= b, a == b, a != b, a > b, a >= b);
      show("+", a + b); show("-", a - b); show("*", a * b); show("/", a / b);
    }
  long double sum = 0, product = 1, harmonic = 0;
  for (int i = 1; i <= 300; i++) { sum += one / (i * three); product *= (one + one / i); harmonic -= product / sum; }
  show("sum", sum); show("product", product); show("harmonic", harmonic);
  long double x = LDBL_MIN; for (int i = 0; i < 130; i++) { x /= 1.875L; show("down", x); }
  x = LDBL_MAX / 8; for (int i = 0; i < 8; i++) { x *= 1.75L; show("up", x); }
  unsigned long long big = 0xffffffffffffffffULL, odd = 0x8000000000000001ULL; long long least = (long long)(odd - 1);
  show("u", (long double)big); show("u", (long double)odd); show("s", (long double)least); show("i", (long double)-7);
  x = 1.5L; x++; x *= 2; x -= 1; show("x", x); printf("%d %d %d\n", !x, x && zero, (int)sizeof(x + 1.0f) == (int)sizeof x);
  return (int)x;
}
