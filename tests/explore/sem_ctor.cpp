// A semaphore that a static object sets up before main begins.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

struct S {
    sem_t s;
    S() {
        sem_init(&s, 0, 1);
    }
} s;
int shared;
static void *worker(void *a) {
    sem_wait(&s.s);
    shared++;
    sem_post(&s.s);
    return 0;
}

int main() {
    pthread_t h;
    pthread_create(&h, 0, worker, 0);
    worker(0);
    pthread_join(h, 0);
    return 0;
}
