// Compare-and-swap as a lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int owner;
static int counter;

static void *worker(void *arg) {
    int expected = 0, me = (int)(long)arg;
    while (!atomic_compare_exchange_strong(&owner, &expected, me)) {
        expected = 0;
        sched_yield();
    }
    usleep(2000);
    counter++;  // NORACE: the exchange succeeded
    atomic_store(&owner, 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
