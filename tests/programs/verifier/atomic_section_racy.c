// Atomic section on one side, a plain access outside of any on the other.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int counter;

static void *one(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    counter++;  // RACE! c1: the other side is outside of any section
    __VERIFIER_atomic_end();
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: outside of any section
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
