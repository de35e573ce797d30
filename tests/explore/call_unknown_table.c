// Calls through a table that a library sorts: which function comes first is not known; both keep the lock.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

typedef int (*step)(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static int up(int n) { return n + 1; }
static step table[2] = {abs, up};

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  x = table[x & 1](x) + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return x;
}
