// Who was not the first goes on as if it were.
// NOT-RUNNABLE: how many threads there are is chosen
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
static atomic_int next;
static int places[64];

static void *worker(void *arg) {
    int mine = atomic_load_explicit(&next, memory_order_relaxed);
    if (mine >= 60)
        return NULL;
    int expected = mine;
    if (!atomic_compare_exchange_strong_explicit(&next, &expected, mine + 1, memory_order_relaxed,
                                                 memory_order_relaxed))
        mine = expected;
    places[mine] = 1;  // RACE! p1: of the one who was first
    return arg;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
