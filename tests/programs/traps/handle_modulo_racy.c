// Handles stored modulo two: the second round overwrites the first one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int slots[4];

static void *worker(void *arg) {
    *(int *)arg = 1;  // RACE! s1: the first two threads are never joined
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        pthread_create(&t[i % 2], NULL, worker, &slots[i]);
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    for (int i = 0; i < 4; i++)
        sum += slots[i];  // RACE! s1: the first two threads may still run
    usleep(5000);
    return sum < 2;
}
