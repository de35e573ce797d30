// The slot of an input by a multiplicative hash, beside the slot that main uses.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int cells[16];

static void *worker(void *arg) {
    const unsigned x = __VERIFIER_nondet_uint();
    const unsigned at = (x * 2654435761u) >> 28;
    if (x > 1000 && x < 1020) cells[at & 7]++;  // NORACE: the lower half
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    cells[11]++;  // NORACE: the upper half
    pthread_join(t, NULL);
    return 0;
}
