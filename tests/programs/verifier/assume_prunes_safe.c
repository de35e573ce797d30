// An assumption that excludes the branch with the shared access.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

static int counter;

static void *worker(void *arg) {
    (void)arg;
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x >= 0);
    if (x < 0)
        counter++;  // NORACE: never reached
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 0;  // NORACE: after both joins
}
