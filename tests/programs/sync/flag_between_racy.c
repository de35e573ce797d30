// The flag is set, and nobody asks for the number that it is set to.
// NOT-RUNNABLE: how many threads there are is chosen
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int table;

static int get(void) {
    pthread_mutex_lock(&m);
    if (ready < 2) {
        table = 42;  // RACE! t1: the next one comes here again
        ready = 1;  // NORACE: under m
    }
    pthread_mutex_unlock(&m);
    return table;  // RACE! t1: while another one sets it up
}

static void *worker(void *arg) {
    (void)arg;
    while (__VERIFIER_nondet_int())
        get();
    return NULL;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
