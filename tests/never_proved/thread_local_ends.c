// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread-local variable ends with its thread while main reads it.
// EXPECT: race
#include <pthread.h>
#include <semaphore.h>
static __thread int own;
static int* known;
static sem_t told;
static void* worker(void* a) {
  known = &own;
  sem_post(&told);
  return a;
}
int main(void) {
  pthread_t t;
  sem_init(&told, 0, 0);
  pthread_create(&t, 0, worker, 0);
  sem_wait(&told);
  int seen = *known;
  pthread_join(t, 0);
  return seen;
}
