// A home-made error variable shared by all threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <errno.h>

static int last_error;

static void *worker(void *arg) {
    (void)arg;
    last_error = 5;  // RACE! e1: one variable for all threads
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
