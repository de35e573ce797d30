// Atomic builtins on both sides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *one(void *arg) {
    (void)arg;
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);  // NORACE: both sides are atomic -> separated(both-atomic)
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);  // NORACE: both sides are atomic
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
