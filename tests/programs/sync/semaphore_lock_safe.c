// A semaphore as a lock, initialised to one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t s;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&s);
    usleep(2000);
    counter++;  // NORACE: one thread inside
    sem_post(&s);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
