// A handler of signals, set by another name of the function.
// EXPECT: unknown: a handler of signals
// OPTIONS: --flag=-std=c11
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>

static int shared;
static void on(int n) {
    shared = 1;
}

static void *worker(void *a) {
    shared = 2;
    return 0;
}

int main() {
    signal(SIGUSR1, on);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
