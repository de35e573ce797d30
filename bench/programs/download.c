// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A download in THREADS parts, as aget makes it: each thread fills its own part of the buffer block by block and adds
// what it got to a total under a lock.
#include <pthread.h>
#include <stdio.h>

#ifndef THREADS
#define THREADS 3
#endif
#define BLOCKS 3
#define BLOCK 4

static char buffer[THREADS * BLOCKS * BLOCK];
static int got;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *part(void *given) {
  char *at = buffer + (long)given * BLOCKS * BLOCK;
  for (int b = 0; b < BLOCKS; b++) {
    for (int i = 0; i < BLOCK; i++) *at++ = 'a' + b;
    pthread_mutex_lock(&lock);
    got += BLOCK;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], 0, part, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
  printf("%d of %d bytes\n", got, (int)sizeof buffer);
  return 0;
}
