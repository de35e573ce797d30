// Handles stored modulo two, joined before they are overwritten.
// Decided by running it; statically: handles at an index modulo two are not told apart
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int slots[4];

static void *worker(void *arg) {
    *(int *)arg = 1;  // NORACE: joined before main reads
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        if (i >= 2)
            pthread_join(t[i % 2], NULL);
        pthread_create(&t[i % 2], NULL, worker, &slots[i]);
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    for (int i = 0; i < 4; i++)
        sum += slots[i];  // NORACE: every thread is joined
    return sum < 2;
}
