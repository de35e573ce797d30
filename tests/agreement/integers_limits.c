// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of every integer type, conversions between them, promotions.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
int main(void) {
  printf("%d %d %d %d %d %u %ld %lu %lld %llu\n", SCHAR_MIN, SCHAR_MAX, SHRT_MIN, USHRT_MAX, INT_MIN, UINT_MAX, LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
  volatile int i = -1; volatile unsigned u = 1; volatile long l = -5; volatile unsigned char c = 200; volatile signed char s = (signed char)200; volatile short h = (short)70000;
  printf("%d %d %d %u %d %d %d\n", i < (int)u, (unsigned)i > u, c + s, (unsigned)s, h, (int)(unsigned char)(c * 2), c << 4); printf("%ld %ld %ld %ld\n", l / 2, l % 2, l >> 1, -l / 3);
  printf("%llu %lld %d\n", (unsigned long long)i, (long long)u << 40, (int)(0x123456789abcULL)); printf("%d %d %u\n", (int8_t)0x1ff, (int16_t)0x18000, (uint8_t)-1);
  printf("%d %d %d\n", ~0, !5, -(-5)); printf("%u %u\n", 7u - 8u, (unsigned)-3 / 2u); return (int)sizeof(long) + (int)sizeof(void *);
}
