// A pointer to a slot of an array for each thread, by the loop variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int slots[3];

static void *worker(void *arg) {
    int *mine = arg;
    *mine = 1;  // NORACE: every thread got its own slot -> separated(own-chunk)
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, &slots[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return slots[0] != 1;  // NORACE: after the joins
}
