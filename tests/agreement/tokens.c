// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strtok, strtok_r, strspn and their like.
#include <stdio.h>
#include <string.h>
int main(void) {
  char a[] = "one,two;;three", b[] = "a b c"; for (char *t = strtok(a, ",;"); t; t = strtok(0, ",;")) printf("[%s]", t);
  char *k, *l; for (char *t = strtok_r(b, " ", &k); t; t = strtok_r(0, " ", &k)) { char c[] = "x-y"; for (char *u = strtok_r(c, "-", &l); u; u = strtok_r(0, "-", &l)) printf("%s%s ", t, u); }
  printf("\n%zu %zu %s %s %s %s\n", strspn("aabbc", "ab"), strcspn("hello", "l"), strpbrk("hello", "xyzl"), strstr("haystack", "st"), strrchr("a/b/c", '/'), strchr("abc", 'c'));
  printf("%d %d %d %d\n", strstr("abc", "zz") == 0, strchr("abc", 'x') == 0, *strchr("abc", 0), strncmp("abcd", "abxx", 2));
  char d[20] = "ab"; strncat(d, "cdefgh", 3); printf("%s %zu %zu\n", d, strlen(d), strnlen(d, 3)); memmove(d + 1, d, 4); printf("%.5s %d\n", d, memcmp("abc", "abd", 3) < 0);
  printf("%s %d %d\n", (char *)memchr("abcdef", 'd', 6), strcasecmp("HeLLo", "hEllO"), strcmp("a", "b") < 0); strncpy(d, "xy", 6); printf("%s %d %d\n", d, d[4], d[5]);
  return 0;
}
