// Sequence lock whose data are relaxed atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low;

static void *writer(void *arg) {
    (void)arg;
    atomic_fetch_add(&sequence, 1);
    atomic_store_explicit(&low, 1, memory_order_relaxed);  // NORACE: atomic on both sides -> separated(both-atomic)
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    unsigned before, after;
    int copy;
    do {
        before = atomic_load(&sequence);
        copy = atomic_load_explicit(&low, memory_order_relaxed);  // NORACE: atomic on both sides
        after = atomic_load(&sequence);
        if (before != after)
            sched_yield();
    } while (before != after || before % 2 != 0);
    (void)copy;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return low != 1;  // NORACE: after both joins
}
