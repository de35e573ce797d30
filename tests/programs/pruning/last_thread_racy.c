// A counter is meant to make the last thread special, but the first one passes the test too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int finished;
static int slots[2];

static void *worker(void *arg) {
    long me = (long)arg;
    slots[me] = 1;  // RACE! s1: the other thread may sum up already
    if (atomic_fetch_add(&finished, 1) >= 0) {
        int partial = slots[0] + slots[1];  // RACE! s1: the first thread comes here too
        (void)partial;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return slots[0] != 1;  // NORACE: after both joins
}
