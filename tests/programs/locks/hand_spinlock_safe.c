// Hand-written spinlock with an atomic test-and-set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int busy;
static int counter;

static void acquire(void) {
    while (atomic_exchange(&busy, 1))
        sched_yield();
}

static void *worker(void *arg) {
    (void)arg;
    acquire();
    counter++;  // NORACE: only one exchange returns 0
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
