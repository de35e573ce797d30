// An address that is the same twice in one step need not be: the second time it depends on what another thread writes.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a[2], i = 1;

static void *first(void *unused) {
  a[1]++;
  pthread_mutex_lock(&m);
  i = 0;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *second(void *unused) {
  int k = 0;
  pthread_mutex_lock(&m);
  for (int n = 0; n < 2; n++) {
    a[k]++;
    k = i;
  }
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  for (int n = 0; n < 2; n++) pthread_join(t[n], 0);
  return a[0];
}
