// Slots indexed by twice the thread's number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int slots[8];

static void *worker(void *arg) {
    long id = (long)arg;
    slots[id * 2]++;  // NORACE: a slot for each number -> separated(own-chunk)
    return NULL;
}

int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return slots[0] == 0;  // NORACE: after the joins
}
