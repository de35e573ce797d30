// A relaxed store of another thread ends the release sequence.
// TSAN-MISSES: it keeps what was released before a relaxed store
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;
static int data;

static void *giver(void *arg) {
    (void)arg;
    data = 1;  // RACE! d1: what the taker reads was not released here
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *middle(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        data = 2;  // RACE! d1: it reads a store that releases nothing
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&c, NULL, middle, NULL);
    pthread_create(&a, NULL, giver, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
