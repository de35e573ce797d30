// The lock is given back between reading the counter and stepping it on.
// NOT-RUNNABLE: how many threads there are is chosen
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next;
static int places[64];

static int take(void) {
    int mine = -1;
    pthread_mutex_lock(&m);
    if (next < 60) {
        mine = next;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        next = mine + 1;
    }
    pthread_mutex_unlock(&m);
    return mine;
}

static void *worker(void *arg) {
    const int mine = take();
    if (mine < 0)
        return NULL;
    places[mine] = 1;  // RACE! p1: two read the same number
    return arg;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
