// A loop that goes six rounds for few inputs.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// UNDECIDED: nobody looks at all numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned n;
static int done;

static void *worker(void *arg) {
    unsigned steps = 0;
    for (unsigned at = n; at != 1 && steps < 7; steps++) at = at % 2 == 0 ? at / 2 : 3 * at + 1;
    if (n > 100 && n < 1000 && steps == 6) done = 1;  // NORACE: 10 and 64 take six steps, and no other number so small
    return arg;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uint();
    pthread_create(&t, NULL, worker, NULL);
    done = 2;  // NORACE: as above
    pthread_join(t, NULL);
    return 0;
}
