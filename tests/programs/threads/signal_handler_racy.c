// A signal handler writes a plain variable of another thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static volatile int ticks;

static void on_signal(int number) {
    (void)number;
    ticks++;  // RACE! t1: runs in the worker, main writes too
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
    ticks++;  // RACE! t1: the handler may run in the worker
    pthread_join(t, NULL);
    return ticks == 0;  // NORACE: after the join
}
