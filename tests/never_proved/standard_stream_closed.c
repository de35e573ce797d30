// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf uses a stream that another thread closes.
// EXPECT: unknown: a library call may touch memory
#include <pthread.h>
#include <stdio.h>
static FILE* f;
static char buffer[BUFSIZ];
static void* one(void* a) {
  printf("x");
  return a;
}
static void* other(void* a) {
  fclose(stdout);
  return a;
}
int main(void) {
  pthread_t t, u;
  f = stdout;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
