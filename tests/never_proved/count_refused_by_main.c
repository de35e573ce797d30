// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No semaphore counts that far.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
static int hit, counter;
static void *count(void *unused) {
  if (hit) counter++;
  return unused;
}
int main(void) {
  pthread_t first, second;
  sem_t semaphore;
  hit = sem_init(&semaphore, 0, 4000000000u) == -1;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
