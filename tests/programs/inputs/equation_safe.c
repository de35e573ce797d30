// A lock is given back too early where two inputs fulfil an equation.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// UNDECIDED: that no square is 2 modulo 4 is no fact of any domain
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y;
static int shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (x * x % 4 == 2 && y == (x ^ 0x5a5a)) {
        pthread_mutex_unlock(&m);
        shared = 1;  // NORACE: no square is 2 modulo 4
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
    shared = 3;  // NORACE: as above
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
