// A loop that goes six rounds for few inputs.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// CONFIRMED: a solver finds the inputs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned n;
static int done;

static void *worker(void *arg) {
    unsigned steps = 0;
    for (unsigned at = n; at != 1 && steps < 7; steps++) at = at % 2 == 0 ? at / 2 : 3 * at + 1;
    if (n > 1000 && steps == 6) done = 1;  // RACE! d: 2863311541 comes to 32 behind one step
    return arg;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_uint();
    pthread_create(&t, NULL, worker, NULL);
    done = 2;  // RACE! d: no lock here
    pthread_join(t, NULL);
    return 0;
}
