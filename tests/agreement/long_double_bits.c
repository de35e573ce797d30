// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long doubles of random bits, NaNs and patterns that are no number among them: every result, bit for bit, goes into a hash.
#include <stdio.h>
#include <string.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
static uint64_t s = 88172645463325252ULL; static uint64_t rnd(void) { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return s; }
static long double make(void) {
  uint64_t lo = rnd(), hi = rnd(); int k = rnd() % 12; long double x = 0;
  if (k == 0) lo = 0; if (k == 1) lo = ~0ull; if (k == 2) lo = 1ull << (rnd() % 64);
#if LDBL_MANT_DIG == 64
  unsigned short e = hi & 0xffff; if (k < 7) e = (e & 0x8000) | (16383 - 40 + (hi >> 20) % 80); if (k == 8) e &= 0x8000; if (k == 9) e |= 0x7fff; if (k == 10) e = (e & 0x8000) | (hi >> 20) % 80;
  if (k != 9 && k != 8 || rnd() % 8) { if ((e & 0x7fff)) lo |= 1ull << 63; else lo &= ~(1ull << 63); }
  memcpy(&x, &lo, 8); memcpy((char *)&x + 8, &e, 2);
#else
  if (k < 7) hi = (hi & 0x8000ffffffffffffull) | (uint64_t)(16383 - 60 + (lo ^ hi >> 20) % 120) << 48; if (k == 8) hi &= 0x8000ffffffffffffull; if (k == 9) hi |= 0x7fffull << 48; if (k == 10) hi = (hi & 0x8000ffffffffffffull) | (rnd() % 120) << 48;
  if (k == 3) hi &= 0xffff000000000000ull;
  memcpy(&x, &lo, 8); memcpy((char *)&x + 8, &hi, 8);
#endif
  return x;
}
static uint64_t h = 14695981039346656037ULL; static void mix(const void *p, int n) { const unsigned char *b = p; for (int i = 0; i < n; i++) h = (h ^ b[i]) * 1099511628211ULL; }
static void put(long double x) { mix(&x, LDBL_MANT_DIG == 64 ? 10 : 16); }
int main(void) {
  for (int i = 0; i < 4000; i++) {
    long double a = make(), b = make(); put(a + b); put(a - b); put(a * b); put(a / b); put(-a); int c = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a > b) << 3 | (a != b) << 4 | (__builtin_isunordered(a, b)) << 5; mix(&c, 4);
    double d = (double)a; float f = (float)b; mix(&d, 8); mix(&f, 4); put((long double)d); put((long double)f); uint64_t r = rnd(); memcpy(&d, &r, 8); r = rnd(); memcpy(&f, &r, 4); put(d); put(f); double e = d + (double)f, g = d * a; mix(&e, 8); mix(&g, 8);
    if (a > -9e18L && a < 9e18L) { long long l = (long long)a; mix(&l, 8); put((long double)(long long)rnd()); put((long double)rnd()); } if (a > -1 && a < 1.8e19L) { unsigned long long l = (unsigned long long)a; mix(&l, 8); }
    if (a >= 0) put(sqrtl(a)); if (i % 16 == 0) printf("%d %llx %La %La %La\n", i, (unsigned long long)h, a, b, a + b);
    if (i % 32 == 0) { char t[9000]; snprintf(t, sizeof t, "%.30Lg %Le %.3Lg", a, b, a); printf("%s\n", t); if (a < 1e60L && a > -1e60L) printf("%.15Lf\n", a); }
  }
  return 0;
}
