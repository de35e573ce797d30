// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread waits for a semaphore in memory that another thread frees.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t *semaphore;
static void *frees(void *unused) {
  free(semaphore);
  return unused;
}
int main(void) {
  pthread_t thread;
  semaphore = malloc(sizeof *semaphore);
  sem_init(semaphore, 0, 0);
  pthread_create(&thread, 0, frees, 0);
  sem_wait(semaphore);
  return 0;
}
