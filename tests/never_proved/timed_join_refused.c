// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no such clock, so the join fails at once, for another reason than that its time is over.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
static int counter;
static void *count(void *unused) {
  counter++;
  return unused;
}
int main(void) {
  pthread_t thread;
  struct timespec late = {2000000000, 0};
  pthread_create(&thread, 0, count, 0);
  if (pthread_clockjoin_np(thread, 0, -1, &late) == 22) counter++;
  return 0;
}
