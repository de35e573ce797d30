// Sends a signal to a thread that waits for it.
// EXPECT: unknown: a signal that the program waits for may come at any time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>

static void *worker(void *a) {
    sigset_t s;
    int n;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    sigwait(&s, &n);
    return 0;
}

int main() {
    pthread_t thread;
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &s, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
