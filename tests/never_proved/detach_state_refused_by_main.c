// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread is detached (1) or not (0), and nothing else.
#define _GNU_SOURCE
#include <pthread.h>
static int hit, counter;
static void *count(void *unused) {
  if (hit) counter++;
  return unused;
}
int main(void) {
  pthread_t first, second;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  hit = pthread_attr_setdetachstate(&attributes, 7) == 22;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
