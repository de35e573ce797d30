// C11 atomics of every order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int relaxed, acq_rel, seq_cst;
static atomic_int plain;

static void *worker(void *arg) {
    (void)arg;
    atomic_fetch_add_explicit(&relaxed, 1, memory_order_relaxed);  // NORACE: atomic -> separated(both-atomic)
    atomic_fetch_add_explicit(&acq_rel, 1, memory_order_acq_rel);  // NORACE: atomic
    seq_cst++;  // NORACE: atomic
    plain++;  // NORACE: atomic
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return relaxed + acq_rel + seq_cst != 6;  // NORACE: after both joins
}
