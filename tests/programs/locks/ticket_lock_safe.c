// Ticket lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int next_ticket, serving;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != mine)
        sched_yield();
    usleep(2000);
    counter++;  // NORACE: one ticket at a time
    atomic_fetch_add(&serving, 1);
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
