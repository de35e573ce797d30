// Peterson's mutual exclusion with sequentially consistent atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int wants[2], turn;
static int counter;

static void *worker(void *arg) {
    long me = (long)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, (int)other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        sched_yield();
    counter++;  // NORACE: one thread at a time
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
