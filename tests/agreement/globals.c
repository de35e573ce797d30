// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
static int counter = 3; int table[4] = {1, 2, 3}; const char *names[] = {"zero", "one", NULL};
static int *pointer = &table[2]; static int (*function)(const char *, ...) = printf;
struct link { const char *name; struct link *next; } last = {"last", NULL}, first = {"first", &last};
static const struct { int a; double b; char c[4]; } mixed[] = {{1, 1.5, "ab"}, {2, 2.5, "cde"}};
static _Thread_local int local = 9; extern int later; int later = 11; int tentative;
static int next(void) { static int calls; return ++calls * counter; }
int main(void) {
  for (struct link *l = &first; l; l = l->next) function("%s ", l->name);
  for (const char **n = names; *n; n++) printf("%s ", *n);
  *pointer = 30; local++; tentative = next() + next();
  printf("%d %d %d %d %d %g %s\n", table[2], table[3], local, later, tentative, mixed[1].b, mixed[1].c);
  return next();
}
