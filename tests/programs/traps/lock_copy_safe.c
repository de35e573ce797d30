// Each thread locks the mutex through a copy of its pointer.
// Decided by running it; statically: the pointers in the two structures are not known to name one mutex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

struct job {
    pthread_mutex_t *lock;
};

static void *worker(void *arg) {
    struct job *job = arg;
    pthread_mutex_lock(job->lock);
    counter++;  // NORACE: one mutex for both
    pthread_mutex_unlock(job->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct job one = {&m}, two = {&m};
    pthread_create(&a, NULL, worker, &one);
    pthread_create(&b, NULL, worker, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
