// The slot of an input by a multiplicative hash, beside the slot that main uses.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// CONFIRMED: a solver finds the inputs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int cells[16];

static void *worker(void *arg) {
    const unsigned x = __VERIFIER_nondet_uint();
    const unsigned at = (x * 2654435761u) >> 28;
    if (x > 1000 && x < 1020) cells[at]++;  // RACE! c: some inputs have that slot
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    cells[11]++;  // RACE! c: the other half
    pthread_join(t, NULL);
    return 0;
}
