// A thread that does not hold it gives the lock of the counter back.
// NOT-RUNNABLE: how many threads there are is chosen
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
static atomic_int taken;
static int next;
static int places[64];

static void *worker(void *arg) {
    int mine = -1;
    while (atomic_exchange(&taken, 1)) {
    }
    if (next < 60) {  // RACE! p1: the lock may be gone
        mine = next;  // RACE! p1: the lock may be gone
        next += 1;  // RACE! p1: the lock may be gone
    }
    atomic_store(&taken, 0);
    if (mine >= 0)
        places[mine] = 1;  // RACE! p2: two were in there at once
    return arg;
}

static void *other(void *arg) {
    atomic_store(&taken, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    while (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
