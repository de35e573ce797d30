// Slots of an array indexed by a fetched counter.
// Decided by running it; statically: that a fetched counter gives every value once is not used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_id;
static int slots[3];

static void *worker(void *arg) {
    (void)arg;
    int id = atomic_fetch_add(&next_id, 1);
    slots[id]++;  // NORACE: the counter gives every id once
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return slots[0] == 0;  // NORACE: after the joins
}
