// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warn reads a variable of the library that no model names.
// EXPECT: race-free: code-without-hooks
#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <err.h>
static void *ask(void *unused) {
  warn("x");
  return unused;
}
static void *set(void *unused) {
  program_invocation_short_name = "x";
  return unused;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, ask, 0);
  pthread_create(&second, 0, set, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
