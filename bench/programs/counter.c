// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// N threads that each lock, count and unlock K times: (N·K)! / (K!)^N traces.
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused) {
  for (int i = 0; i < K; i++) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return counter != N * K;
}
