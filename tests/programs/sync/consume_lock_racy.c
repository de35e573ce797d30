// A spin lock that is taken with memory_order_consume: it excludes, and orders nothing.
// TSAN-MISSES: clang makes acquire of consume
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int count;

static void *giver(void *arg) {
    (void)arg;
    while (atomic_exchange_explicit(&taken, 1, memory_order_consume)) {
    }
    count++;  // RACE! c1: not ordered behind the other thread's
    atomic_store_explicit(&taken, 0, memory_order_release);
    return NULL;
}

static void *taker(void *arg) { return giver(arg); }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, giver, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
