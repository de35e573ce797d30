// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
typedef unsigned __int128 u128; typedef __int128 s128;
static void show(u128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }
int main(void) {
  u128 a = (u128)0x123456789abcdefULL * 0xfedcba9876543210ULL, b = ((u128)7 << 100) | 12345;
  show(a); show(a + b); show(a - b); show(b / 1000); show(b % 1000); show(a << 7); show(a >> 70); show(a ^ b);
  s128 c = -(s128)a; show((u128)c); show((u128)(c / 3)); show((u128)(c >> 5)); printf("%d %d %g %g\n", c < 0, a > b, (double)a, (double)c);
  int32_t i = INT32_MIN; int64_t j = INT64_MIN; uint8_t k = 250; int8_t s = -128;
  k += 10; printf("%d %u %d %lld\n", k, (unsigned)i >> 4, s >> 2, (long long)(j >> 40));
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, (int)(-7u / 2u % 1000));
  int r; printf("%d %d\n", __builtin_add_overflow(INT_MAX, 1, &r), __builtin_mul_overflow(3, 4, &r)); printf("%d\n", r);
  printf("%d %d %d %x %llx\n", __builtin_clz(1), __builtin_ctz(8), __builtin_popcountll(0xffffULL), __builtin_bswap32(0x12345678), __builtin_bswap64(1));
  _Bool t = 5; enum { A = -1, B = 7 } e = B; printf("%d %d %zu\n", t, e, sizeof(_Bool));
  volatile unsigned v = 0xdeadbeef; printf("%u %u\n", (v << 13) | (v >> 19), (unsigned)(signed char)v);
  return (int)(a & 63);
}
