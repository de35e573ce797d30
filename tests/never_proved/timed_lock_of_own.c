// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that checks for errors says EDEADLK to its owner, who waits for it with a time limit.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int x;
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static const struct timespec past = {1, 0};

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  if (pthread_mutex_timedlock(&m, &past) == EDEADLK) x++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x++;
  pthread_join(t, 0);
  return 0;
}
