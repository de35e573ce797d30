// An update continues the release sequence of the store before it, whatever its own order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;
static int data;

static void *giver(void *arg) {
    (void)arg;
    data = 1;  // NORACE: before the release
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *counter(void *arg) {
    (void)arg;
    atomic_fetch_add_explicit(&stage, 1, memory_order_relaxed);
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        data = 2;  // NORACE: it reads from the release sequence
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&c, NULL, counter, NULL);
    pthread_create(&a, NULL, giver, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
