// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads, one counter, one lock; main reads without the lock, but only after it joined both.
// truth: race-free
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter;

static void *count(void *unused) {
  (void)unused;
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  counter = 0;  // no other thread runs yet
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%ld\n", counter);
  return 0;
}
