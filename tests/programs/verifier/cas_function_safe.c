// A compare-and-swap function as a lock.
// NOT-RUNNABLE: __VERIFIER_atomic_ functions are not atomic when run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int taken, counter;

static int __VERIFIER_atomic_cas(int *target, int expected, int desired) {
    if (*target != expected)  // NORACE: inside an atomic function
        return 0;
    *target = desired;  // NORACE: inside an atomic function
    return 1;
}

static void *worker(void *arg) {
    (void)arg;
    if (!__VERIFIER_atomic_cas(&taken, 0, 1))
        return NULL;
    counter++;  // NORACE: only the thread whose swap succeeded
    __VERIFIER_atomic_cas(&taken, 1, 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
