// The function that is called depends on who comes first, and one of them writes without the lock.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

typedef int (*step)(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static int up(int n) { return y = n + 1; }
static step table[2] = {abs, up};

static void *first(void *unused) {
  y = 3;
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&m);
  step which = table[!(x & 1)];
  pthread_mutex_unlock(&m);
  which(1);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return x;
}
