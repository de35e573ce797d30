// A semaphore as a signal, initialised to zero.
// Decided by running it; statically: order by post and wait is not used as a proof yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t filled;
static int data;

static void *producer(void *arg) {
    (void)arg;
    usleep(5000);
    data = 1;  // NORACE: before the post
    sem_post(&filled);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    sem_wait(&filled);
    int seen = data;  // NORACE: after the wait
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&filled, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 1;  // NORACE: after both joins
}
