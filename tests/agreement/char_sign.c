// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain char is signed on x86 and unsigned on Arm; wchar_t the other way round. Sizes and layouts go with the target too.
#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
struct plain { char a : 4; char b; int c : 7; long d; long long e; long double f; char g; }; struct tail { char a; double b; char c; }; struct pointers { char a; void *b; wchar_t c; size_t d; };
static int sum(const char *s) { int n = 0; while (*s) n += *s++; return n; }
int main(void) {
  char text[] = "a\xe9z\xff\x80", other[] = "a\x7fz"; char c = (char)200; int i = c; unsigned u = c; long l = c;
  printf("%d %u %ld %d %d %d %d\n", i, u, l, CHAR_MIN, CHAR_MAX, c < 0, sum(text)); printf("%d %d %d\n", c == 200, c >> 1, (char)(c + 100) % 7); c += 90; printf("%d %d\n", c, -c);
  int order = strcmp(text, other), memory = memcmp(text, other, 3), part = strncmp("\x80", "\x7f", 1); printf("%d %d %d\n", order > 0, memory > 0, part > 0);
  printf("%d %d %d %d\n", strchr(text, '\xe9') == text + 1, strrchr(text, 0xff) == text + 3, memchr(text, '\x80', 5) != 0, strchr(text, -1) == text + 3);
  printf("%d %d %d %c\n", text[1], toupper((unsigned char)text[1]), toupper('q'), tolower('Q')); printf("%hhd %hhu %hd %hu\n", text[1], text[1], text[1], text[1]);
  struct plain p; memset(&p, 0xff, sizeof p); printf("%d %d %d\n", p.a, p.b, p.c); p.a = 9; p.c = 70; printf("%d %d\n", p.a, p.c);
  printf("%zu %zu %zu %zu %zu %zu\n", sizeof p, offsetof(struct plain, d), offsetof(struct plain, e), offsetof(struct plain, f), offsetof(struct plain, g), sizeof(struct tail)); printf("%zu %zu %zu %zu\n", sizeof(struct pointers), offsetof(struct pointers, b), offsetof(struct tail, b), _Alignof(long long));
  printf("%zu %zu %zu %zu %d %lu\n", sizeof(long), sizeof(long double), sizeof(wchar_t), sizeof(max_align_t), (wchar_t)-1 < 0, ULONG_MAX); wchar_t w[] = L"a\x1234"; printf("%ld %ld %d\n", (long)w[1], (long)(wchar_t)-2, (int)wcslen(L""));
  long n = strtol("99999999999", 0, 10); unsigned long m = strtoul("-1", 0, 0); printf("%ld %lu %d %ld\n", n, m, atoi("-12x"), atol("2147483647")); sscanf("\xe9 300", "%c %ld", &c, &n); printf("%d %ld\n", c, n);
  int counts[256] = {0}; for (char *s = text; *s; s++) counts[(unsigned char)*s]++; switch (text[1]) { case (char)0xe9: puts("same"); break; default: puts("other"); } printf("%d %td %zd\n", counts[0xe9], &text[3] - text, (ssize_t)-1);
  return c < 0;
}
