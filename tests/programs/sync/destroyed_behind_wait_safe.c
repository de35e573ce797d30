// A barrier, a semaphore and a condition end as soon as one thread has got through; POSIX allows that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t b;
static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *other(void *arg) {
    (void)arg;
    pthread_barrier_wait(&b);  // NORACE: main destroys it behind its own wait
    sem_post(&s);              // NORACE: main destroys it behind its wait
    pthread_mutex_lock(&m);
    ready = 1;                 // NORACE: under m
    pthread_cond_signal(&c);   // NORACE: before the unlock that main waits for
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, other, NULL);
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);  // NORACE: both have come
    sem_wait(&s);
    sem_destroy(&s);              // NORACE: the post came before
    pthread_mutex_lock(&m);
    while (!ready)                // NORACE: under m
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(&c);     // NORACE: nobody signals any more
    pthread_join(t, NULL);
    return 0;
}
