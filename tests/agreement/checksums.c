// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CRC, Adler, xorshift, SHA-like mixing: unsigned arithmetic of all widths.
#include <stdint.h>
#include <stdio.h>
int main(void) { uint32_t table[256]; for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; table[i] = c; } uint32_t crc = ~0u, a = 1, b = 0; uint64_t x = 88172645463325252ULL; uint16_t f = 0xace1; for (int i = 0; i < 3000; i++) { uint8_t v = (uint8_t)(i * 7 + (i >> 3)); crc = table[(crc ^ v) & 255] ^ crc >> 8; a = (a + v) % 65521; b = (b + a) % 65521; x ^= x << 13; x ^= x >> 7; x ^= x << 17; f = (uint16_t)(f >> 1 ^ (-(f & 1) & 0xb400)); } printf("%08x %08x %016llx %04x\n", ~crc, b << 16 | a, (unsigned long long)x, f); return (int)(crc & 63); }
