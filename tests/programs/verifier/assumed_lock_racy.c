// A lock made of two atomic sections: the test and the set can be separated.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

static int taken, counter;

static void acquire(void) {
    __VERIFIER_atomic_begin();
    assume_abort_if_not(taken == 0);  // NORACE: inside an atomic section
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    taken = 1;  // NORACE: inside an atomic section
    __VERIFIER_atomic_end();
}

static void release(void) {
    __VERIFIER_atomic_begin();
    taken = 0;  // NORACE: inside an atomic section
    __VERIFIER_atomic_end();
}

static void *worker(void *arg) {
    (void)arg;
    acquire();
    counter++;  // RACE! c1: both threads may have passed the test
    release();
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
