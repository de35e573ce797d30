// A counter deals out two places at a time, under a lock; who has them uses them without.
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
        next += 2;
    }
    pthread_mutex_unlock(&m);
    return mine;
}

static void *worker(void *arg) {
    const int mine = take();
    if (mine < 0)
        return NULL;
    places[mine] = 1;  // NORACE: its own -> separated(own-ticket)
    places[mine + 1] = 2;  // NORACE: its own, too -> separated(own-ticket)
    return arg;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
