// A thread waits for a signal that main sends it when it is done. Others could send one, too: no proof.
// EXPECT: unknown: a signal that the program waits for may come at any time
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
  x = 1;
  pthread_kill(t, SIGUSR1);

  pthread_join(t, 0);
  return x;
}
