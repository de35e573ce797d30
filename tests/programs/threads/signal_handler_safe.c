// A signal handler writes an atomic variable.
// UNDECIDED: signal handlers are not treated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int ticks;

static void on_signal(int number) {
    (void)number;
    ticks++;  // NORACE: atomic
}

static void *worker(void *arg) {
    (void)arg;
    raise(SIGUSR1);
    return NULL;
}

int main(void) {
    pthread_t t;
    signal(SIGUSR1, on_signal);
    pthread_create(&t, NULL, worker, NULL);
    ticks++;  // NORACE: atomic -> separated(both-atomic)
    pthread_join(t, NULL);
    return ticks == 0;  // NORACE: after the join
}
