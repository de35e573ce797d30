// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// qsort of structs and strings, bsearch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; char name[8]; };
static int by_key(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int down(const void *a, const void *b) { double x = *(const double *)a, y = *(const double *)b; return x < y ? 1 : x > y ? -1 : 0; }
int main(void) {
  struct item v[] = {{5, "five"}, {1, "one"}, {9, "nine"}, {3, "three"}, {7, "seven"}}; char *t[] = {"pear", "apple", "fig", "kiwi"}; double d[] = {1.5, -2, 8, 0};
  qsort(v, 5, sizeof v[0], by_key); qsort(t, 4, sizeof t[0], by_text); qsort(d, 4, sizeof d[0], down);
  for (int i = 0; i < 5; i++) printf("%d %s ", v[i].key, v[i].name); for (int i = 0; i < 4; i++) printf("%s %g ", t[i], d[i]);
  struct item k = {7, ""}, m = {4, ""}; struct item *f = bsearch(&k, v, 5, sizeof v[0], by_key);
  printf("%s %d\n", f ? f->name : "none", bsearch(&m, v, 5, sizeof v[0], by_key) == 0);
  return 0;
}
