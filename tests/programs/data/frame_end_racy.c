// A thread uses a local variable of the function that started it.
// CONFIRMED: a schedule can stop before a function returns
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TSAN-MISSES: it does not look at frames that end
#include <pthread.h>

static pthread_t t;

static void *work(void *arg) {
    *(int *)arg = 1;  // RACE! n1: its function may have returned
    return NULL;
}

static void start(void) {
    int local = 0;
    pthread_create(&t, NULL, work, &local);
}  // RACE! n1: the frame ends while the thread runs

int main(void) {
    start();
    pthread_join(t, NULL);
    return 0;
}
