// The memory of a semaphore is written while a thread stands before it, and then it is posted.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t filled, other;

static void *wait(void *unused) {
    sem_wait(&filled);
    return unused;
}

int main(void) {
    pthread_t h;
    sem_init(&filled, 0, 0);
    sem_init(&other, 0, 0);
    pthread_create(&h, 0, wait, 0);
    memcpy(&filled, &other, sizeof filled);
    sem_post(&filled);
    pthread_join(h, 0);
    return 0;
}
