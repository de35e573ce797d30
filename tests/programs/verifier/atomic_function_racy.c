// A function whose name lacks the atomic prefix is not atomic.
// NOT-RUNNABLE: __VERIFIER_atomic_ functions are not atomic when run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void bump(void) {
    counter++;  // RACE! c1: no atomic section on the way here
}

static void increment(void) {
    bump();
}

static void *worker(void *arg) {
    (void)arg;
    increment();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
