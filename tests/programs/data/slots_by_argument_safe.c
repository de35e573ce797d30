// Slots of an array indexed by the thread's argument, one each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int slots[3];

static void *worker(void *arg) {
    long id = (long)arg;
    slots[id]++;  // NORACE: every thread has its own id -> separated(own-chunk)
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return slots[0] != 1;  // NORACE: after the joins
}
