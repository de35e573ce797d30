// A pointer to a slot of an array for each thread, but always to the first one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int slots[3];

static void *worker(void *arg) {
    int *mine = arg;
    *mine = 1;  // RACE! s1: every thread got &slots[0]
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, &slots[0]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return slots[0] != 1;  // NORACE: after the joins
}
