// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream writes the buffer that it was given.
#include <pthread.h>
#include <stdio.h>
static FILE* f;
static char buffer[BUFSIZ];
static void* one(void* a) {
  printf("x");
  return a;
}
static void* other(void* a) {
  buffer[0] = 1;
  return a;
}
int main(void) {
  pthread_t t, u;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
