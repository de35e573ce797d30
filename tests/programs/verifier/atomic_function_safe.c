// A defined __VERIFIER_atomic_ function is one atomic section, with its callees.
// NOT-RUNNABLE: __VERIFIER_atomic_ functions are not atomic when run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void bump(void) {
    counter++;  // NORACE: called inside an atomic function only -> separated(common-lock)
}

static void __VERIFIER_atomic_increment(void) {
    bump();
}

static void *worker(void *arg) {
    (void)arg;
    __VERIFIER_atomic_increment();
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
