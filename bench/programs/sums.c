// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads that work on halves of one array, and seldom lock: most of what they do are plain accesses to memory that
// is shared.
#include <pthread.h>

#define SIZE 4096
#define ROUNDS 2000

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long values[2][SIZE], total;

static void *worker(void *half) {
  long *mine = half;
  for (int round = 0; round < ROUNDS; round++) {
    long sum = 0;
    for (int i = 0; i < SIZE; i++) sum += mine[i] += i ^ round;
    pthread_mutex_lock(&m);
    total += sum;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, values[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return total == 1;
}
