// Hand-written spinlock whose test and set are two steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int busy;
static int counter;

static void acquire(void) {
    while (atomic_load(&busy))
        sched_yield();
    usleep(2000);
    atomic_store(&busy, 1);
}

static void *worker(void *arg) {
    (void)arg;
    acquire();
    counter++;  // RACE! c1: both may have seen busy == 0
    atomic_store(&busy, 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
