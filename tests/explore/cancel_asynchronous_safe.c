// A thread that may be ended at any instruction is ended where that makes no difference: in a call that waits.
// EXPECT: unknown: a cancelled thread may also end inside the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>

static int wrong;
static sigset_t set;

static void *waiter(void *unused) {
    int number;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    sigwait(&set, &number);
    wrong++;
    return 0;
}

static void *meet(void *unused) {
    wrong++;
    return 0;
}

int main() {
    pthread_t thread;
    void *result = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, waiter, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    if (result == PTHREAD_CANCELED && wrong == 0)
        return 0;
    pthread_create(&thread, 0, meet, 0);
    wrong++;  // a race if anything went otherwise
    return 1;
}
