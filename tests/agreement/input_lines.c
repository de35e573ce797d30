// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// INPUT: one\ntwo words\n\nlast
// getline, and counting by getc until the end.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *line = 0; size_t room = 0; ssize_t n; int lines = 0;
  while ((n = getline(&line, &room, stdin)) >= 0) { if (n && line[n - 1] == '\n') line[n - 1] = 0; printf("%d %zd %s\n", ++lines, n, line); }
  free(line); printf("%d\n", feof(stdin) != 0);
  return lines;
}
