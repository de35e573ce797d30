// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// N readers and a writer visit three slots, each with a lock of its own: ((N+1)!)^3 traces.
#include <pthread.h>

#ifndef N
#define N 3
#endif
#define SLOTS 3

static struct {
  pthread_mutex_t lock;
  int value;
} slot[SLOTS] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};
static int sum[N];

static void *writer(void *unused) {
  for (int i = 0; i < SLOTS; i++) {
    pthread_mutex_lock(&slot[i].lock);
    slot[i].value = i + 1;
    pthread_mutex_unlock(&slot[i].lock);
  }
  return unused;
}

static void *reader(void *mine) {
  for (int i = 0; i < SLOTS; i++) {
    pthread_mutex_lock(&slot[i].lock);
    *(int *)mine += slot[i].value;
    pthread_mutex_unlock(&slot[i].lock);
  }
  return 0;
}

int main(void) {
  pthread_t w, r[N];
  pthread_create(&w, 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(&r[i], 0, reader, &sum[i]);
  for (int i = 0; i < N; i++) pthread_join(r[i], 0);
  pthread_join(w, 0);
  return 0;
}
