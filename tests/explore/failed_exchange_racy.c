// A compare-and-exchange that fails has an order of its own: this one orders nothing.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static int other;

static void *reader(void *unused) {
    int *expected = NULL;
    if (!atomic_compare_exchange_strong_explicit(&slot, &expected, &other, memory_order_seq_cst, memory_order_relaxed))
        other = *expected;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    int *made = malloc(sizeof *made);
    *made = 1;
    atomic_store_explicit(&slot, made, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
