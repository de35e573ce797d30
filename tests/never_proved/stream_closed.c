// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread closes the stream that another one writes to: it is freed memory then.
// EXPECT: unknown: a library call may touch memory
#include <pthread.h>
#include <stdio.h>
static FILE* f;
static char buffer[BUFSIZ];
static void* one(void* a) {
  fputs("x", f);
  return a;
}
static void* other(void* a) {
  fclose(f);
  return a;
}
int main(void) {
  pthread_t t, u;
  f = fopen("/dev/null", "w");
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
