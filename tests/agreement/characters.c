// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <ctype.h> over all bytes.
#include <ctype.h>
#include <stdio.h>
int main(void) {
  for (int c = 0; c < 256; c++) printf("%d%d%d%d%d%d%d%d%d%d%d%c", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c), !!ispunct(c), !!isprint(c), !!iscntrl(c), !!isxdigit(c), !!isgraph(c), c % 8 == 7 ? '\n' : ' ');
  for (const char *p = "MiXeD 123!"; *p; p++) putchar(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p)); putchar('\n');
  return isblank('\t') ? 3 : 4;
}
