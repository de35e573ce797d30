// A counter deals out ranges of places, under a lock.
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
        next += 4;
    }
    pthread_mutex_unlock(&m);
    return mine;
}

static void *worker(void *arg) {
    const int mine = take();
    if (mine < 0)
        return NULL;
    for (int i = mine; i < mine + 4; i++)
        places[i] = 1;  // NORACE: in its own range -> separated(own-ticket)
    return arg;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
