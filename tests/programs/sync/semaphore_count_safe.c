// A counting semaphore: as many waits as producers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t filled;
static int slots[2];

static void *producer(void *arg) {
    long id = (long)arg;
    if (id == 1)
        usleep(10000);
    slots[id] = 1;  // NORACE: before the post
    sem_post(&filled);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int sum;
    sem_init(&filled, 0, 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, producer, (void *)i);
    sem_wait(&filled);
    sem_wait(&filled);
    sum = slots[0] + slots[1];  // NORACE: both producers have posted
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return sum == 0;
}
