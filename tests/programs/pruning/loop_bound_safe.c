// The lock is released in the second and last iteration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

#define ROUNDS 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    for (int i = 0; i < ROUNDS; i++) {
        counter++;  // NORACE: both rounds hold m
        if (i == 1)
            pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter < 3;  // NORACE: after both joins
}
