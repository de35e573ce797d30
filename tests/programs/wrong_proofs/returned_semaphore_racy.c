// Was proved: a second post through a pointer that a thread returned was held to reach no semaphore.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t gate;
static int counter;

static void *find_gate(void *arg) {
    (void)arg;
    return &gate;
}

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&gate);
    usleep(2000);
    counter++;  // RACE! c1: the gate lets two in
    sem_post(&gate);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    void *found;
    sem_init(&gate, 0, 1);
    pthread_create(&a, NULL, find_gate, NULL);
    pthread_join(a, &found);
    sem_post(found);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
