// Ring buffer for one producer and one consumer: the item is stored before the index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define ITEMS 3

static atomic_int written;
static int ring[ITEMS];

static void *producer(void *arg) {
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        ring[i] = i;  // NORACE: the index does not say so yet
        atomic_store_explicit(&written, i + 1, memory_order_release);
    }
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&written, memory_order_acquire) <= i)
            sched_yield();
        sum += ring[i];  // NORACE: stored before the index
    }
    (void)sum;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return ring[2] != 2;  // NORACE: after both joins
}
