// What the first comer sets up under a lock is used without: everybody has seen the flag.
// NOT-RUNNABLE: how many threads there are is chosen
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int table;

static int get(void) {
    pthread_mutex_lock(&m);
    if (!ready) {
        table = 42;  // NORACE: before the flag is set -> separated(flag-between)
        ready = 1;  // NORACE: under m
    }
    pthread_mutex_unlock(&m);
    return table;  // NORACE: behind the flag -> separated(flag-between)
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
