// Mutual exclusion by flags that are tested before they are set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int wants[2], turn;
static int counter;

static void *worker(void *arg) {
    long me = (long)arg, other = 1 - me;
    while (atomic_load(&wants[other]))
        sched_yield();
    usleep(2000);
    atomic_store(&wants[me], 1);
    counter++;  // RACE! c1: both may have seen no flag
    atomic_store(&wants[me], 0);
    (void)&turn;
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
