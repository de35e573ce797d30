// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Main ends the condition while a thread signals it.
#include <pthread.h>
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *signals(void *unused) {
  pthread_cond_signal(&condition);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, signals, 0);
  pthread_cond_destroy(&condition);
  pthread_join(thread, 0);
  return 0;
}
