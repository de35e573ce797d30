// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// INPUT: 3 10 20 30 name line with blanks\nlast
// Standard input by scanf, fgets and getchar.
#include <stdio.h>
int main(void) {
  int n = 0, sum = 0, x; char name[16], line[32];
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n && scanf("%d", &x) == 1; i++) sum += x;
  scanf("%15s", name); int c = getchar(); ungetc(c, stdin);
  printf("%d %s [%c]", sum, name, c);
  while (fgets(line, sizeof line, stdin)) printf(" <%s>", line);
  printf(" %d %d\n", feof(stdin) != 0, getchar());
  return 0;
}
