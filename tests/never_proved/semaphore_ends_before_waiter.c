// A semaphore ends while a thread stands before it that never gets on.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;

static void *wait(void *unused) {
    sem_wait(&filled);
    return unused;
}

int main(void) {
    pthread_t h;
    sem_init(&filled, 0, 0);
    pthread_create(&h, 0, wait, 0);
    sem_destroy(&filled);
    return 0;
}
