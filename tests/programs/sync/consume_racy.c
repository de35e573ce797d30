// A flag read with memory_order_consume orders only what depends on its value; clang makes acquire of it.
// TSAN-MISSES: clang makes acquire of consume
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *giver(void *arg) {
    (void)arg;
    data = 1;  // RACE! d1: released, but nobody acquires it
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&ready, memory_order_consume))
        data = 2;  // RACE! d1: does not depend on what was read
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, giver, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
