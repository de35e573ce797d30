// A counter makes the last thread special: it sums up what all wrote.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int finished;
static int slots[2];
static int sum;

static void *worker(void *arg) {
    long me = (long)arg;
    slots[me] = 1;  // NORACE: before this thread counts itself
    if (atomic_fetch_add(&finished, 1) == 1)
        sum = slots[0] + slots[1];  // NORACE: only the last thread
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum != 2;  // NORACE: after both joins
}
