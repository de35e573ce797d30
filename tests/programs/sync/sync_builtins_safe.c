// Old __sync builtins on both sides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *one(void *arg) {
    (void)arg;
    __sync_fetch_and_add(&counter, 2);  // NORACE: both sides are atomic -> separated(both-atomic)
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    int seen = __sync_fetch_and_add(&counter, 0);  // NORACE: both sides are atomic
    (void)seen;
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
