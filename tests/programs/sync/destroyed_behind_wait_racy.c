// A barrier, a semaphore and a condition end when one thread has seen the others leave, one of them too early.
// CONFIRMED: the semaphore ends before it was waited for
// TSAN-MISSES: it does not look at the bytes of a semaphore
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t b;
static sem_t s;

static void *other(void *arg) {
    (void)arg;
    pthread_barrier_wait(&b);  // RACE b1: none, main destroys it behind its own wait; barriers as order are not known
    sem_post(&s);              // RACE! s1: beside the end
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, other, NULL);
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);  // RACE b1: none, both have come
    sem_destroy(&s);              // RACE! s1: nobody waited for it
    pthread_join(t, NULL);
    return 0;
}
