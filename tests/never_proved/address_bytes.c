// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of an address are numbers that another run need not have.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int x;
char *first, *second;

void *work(void *given) {
  (void)given;
  unsigned char bytes[sizeof first];
  memcpy(bytes, &first, sizeof first);
  if (bytes[0] & 32) x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  first = malloc(24);
  second = malloc(24);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
