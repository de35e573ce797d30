// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char buffer[64], *rest = NULL;
  strcpy(buffer, "one,two;;three");
  for (char *t = strtok_r(buffer, ",;", &rest); t; t = strtok_r(NULL, ",;", &rest)) printf("[%s]", t);
  snprintf(buffer, 10, "%s-%d", "abcdefghij", 42);
  printf("%s %zu %d %d\n", buffer, strlen(buffer), strcmp("abc", "abd") < 0, strncmp("abc", "abd", 2));
  printf("%s %s %p\n", strchr("hello", 'l'), strrchr("hello", 'l'), (void *)strstr("hello", "xyz"));
  memset(buffer, 'z', 8); buffer[8] = 0; memmove(buffer + 2, buffer, 4); memcpy(buffer, "AB", 2);
  printf("%s %d\n", buffer, memcmp("abc", "abc", 3));
  for (const char *p = "Hello, World 42!"; *p; p++) putchar(isalpha((unsigned char)*p) ? toupper((unsigned char)*p) : isdigit((unsigned char)*p) ? '#' : '.');
  putchar('\n');
  printf("%ld %ld %lu %d %g\n", strtol("-123abc", &rest, 10), strtol("0x1f", NULL, 0), strtoul("777", NULL, 8), atoi("  12x"), atof("2.5e3"));
  printf("%s %zu %zu\n", rest, strspn("aabbc", "ab"), strcspn("hello", "lo"));
  char *copy = strdup("duplicate"); strcat(strcpy(buffer, copy), "!"); puts(buffer); free(copy);
  return (int)strlen(buffer);
}
