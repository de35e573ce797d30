// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread uses the variable of a loop that is over.
#include <pthread.h>

static int rounds;
static void *worker(void *arg) {
  ++*(int *)arg;
  return 0;
}

int main(void) {
  pthread_t t;
  for (int x = 5; rounds == 0; rounds++) pthread_create(&t, 0, worker, &x);
  pthread_join(t, 0);
  return 0;
}
