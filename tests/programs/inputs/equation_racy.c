// A lock is given back too early where two inputs fulfil an equation.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// CONFIRMED: a solver finds the inputs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y;
static int shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (x * 7 + 3 == 1000003 && y == (x ^ 0x5a5a)) {
        pthread_mutex_unlock(&m);
        shared = 1;  // RACE! s: for one x, and one y
        return arg;
    }
    shared = 2;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    x = __VERIFIER_nondet_uint();
    y = __VERIFIER_nondet_uint();
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    shared = 3;  // RACE! s: the other half
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
