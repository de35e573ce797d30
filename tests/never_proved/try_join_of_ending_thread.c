// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that has done the last that others can see may still run: the join fails, and nothing orders the writes.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
static atomic_int told;
static int counter;
static void *count(void *unused) {
  told = 1;
  counter++;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  while (!told)
    ;
  if (pthread_tryjoin_np(thread, 0)) counter++;
  return 0;
}
