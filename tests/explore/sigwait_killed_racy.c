// A thread waits for a signal that main sends it; what main does behind that is not ordered.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>

int x;
sigset_t set;

static void *waiter(void *unused) {
  int number;
  sigwait(&set, &number);
  x = 2;
  return unused;
}

int main(void) {
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&t, 0, waiter, 0);
  pthread_kill(t, SIGUSR1);
  x = 1;
  pthread_join(t, 0);
  return x;
}
