// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no such clock, so the call fails at once, for another reason than that its time is over.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
static int hit, counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *count(void *unused) {
  if (hit) counter++;
  return unused;
}
int main(void) {
  pthread_t first, second;
  struct timespec soon = {0, 0};
  hit = pthread_mutex_clocklock(&mutex, -1, &soon) == 22;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
