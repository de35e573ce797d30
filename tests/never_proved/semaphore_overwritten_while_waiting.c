// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread waits for a semaphore over which main writes.
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static void *waits(void *unused) {
  sem_wait(&semaphore);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  *(unsigned *)&semaphore = 1;
  return 0;
}
