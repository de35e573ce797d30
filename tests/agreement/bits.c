// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit tricks and builtins.
#include <stdint.h>
#include <stdio.h>
static unsigned reverse(unsigned v) { unsigned r = 0; for (int i = 0; i < 32; i++) r |= ((v >> i) & 1u) << (31 - i); return r; }
int main(void) {
  unsigned v = 1;
  for (int i = 0; i < 20; i++, v *= 37) printf("%d %d %d %d %x %x\n", __builtin_popcount(v), __builtin_clz(v), __builtin_ctz(v), __builtin_parity(v), __builtin_bswap32(v), reverse(v));
  int r; unsigned q; long long w; printf("%d %d %d\n", __builtin_add_overflow(2000000000, 2000000000, &r), r, __builtin_mul_overflow(3u, 5u, &q)); printf("%u %d %lld\n", q, __builtin_sub_overflow(-9223372036854775807LL, 9LL, &w), w);
  uint64_t x = 0x0123456789abcdefULL; printf("%d %d %d %llx %llx\n", __builtin_popcountll(x), __builtin_clzll(x), __builtin_ffs(24), (unsigned long long)__builtin_bswap64(x), (unsigned long long)((x << 13) | (x >> 51)));
  return __builtin_ctzll(x << 7);
}
