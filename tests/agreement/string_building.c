// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text put together by hand: base 64, run lengths, reversal, integers to text.
#include <stdio.h>
#include <string.h>
static void base64(const unsigned char *p, int n) { static const char a[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; for (int i = 0; i < n; i += 3) { unsigned v = (unsigned)p[i] << 16 | (i + 1 < n ? p[i + 1] : 0u) << 8 | (i + 2 < n ? p[i + 2] : 0u); putchar(a[v >> 18]); putchar(a[v >> 12 & 63]); putchar(i + 1 < n ? a[v >> 6 & 63] : '='); putchar(i + 2 < n ? a[v & 63] : '='); } putchar('\n'); }
static void runs(const char *s) { while (*s) { int n = 1; while (s[n] == *s) n++; printf("%d%c", n, *s); s += n; } printf("\n"); }
static char *text_of(long v, char *b) { char *p = b + 24; *p = 0; int neg = v < 0; unsigned long u = neg ? 0ul - (unsigned long)v : (unsigned long)v; do *--p = (char)('0' + u % 10); while (u /= 10); if (neg) *--p = '-'; return p; }
int main(void) { base64((const unsigned char *)"heddle finds races", 18); base64((const unsigned char *)"ab", 2); runs("aaabccdddd"); char b[25]; printf("%s ", text_of(-1234567, b)); printf("%s ", text_of(0, b)); char w[] = "reverse"; for (size_t i = 0, j = strlen(w) - 1; i < j; i++, j--) { char t = w[i]; w[i] = w[j]; w[j] = t; } printf("%s\n", w); return 0; }
