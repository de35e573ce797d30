// A function called spin_lock whose body is a lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void spin_lock(atomic_int *l) {
    while (atomic_exchange(l, 1))
        sched_yield();
}

static void spin_unlock(atomic_int *l) {
    atomic_store(l, 0);
}

static void *worker(void *arg) {
    (void)arg;
    spin_lock(&lock);
    counter++;  // NORACE: one exchange returns 0
    spin_unlock(&lock);
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
