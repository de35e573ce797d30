// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Main ends the semaphore while a thread uses it.
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static void *post(void *unused) {
  sem_post(&semaphore);
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 1);
  pthread_create(&thread, 0, post, 0);
  sem_destroy(&semaphore);
  pthread_join(thread, 0);
  return 0;
}
