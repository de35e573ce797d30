// A function called spin_lock with an empty body is no lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void spin_lock(atomic_int *l) {
    (void)l;
}

static void spin_unlock(atomic_int *l) {
    (void)l;
}

static void *worker(void *arg) {
    (void)arg;
    spin_lock(&lock);
    counter++;  // RACE! c1: spin_lock does nothing
    spin_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter + lock == 0;  // NORACE: after both joins
}
