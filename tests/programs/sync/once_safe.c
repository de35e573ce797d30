// Initialisation by pthread_once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int config;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    config = 7;  // NORACE: once, and before any return from pthread_once
}

static void *worker(void *arg) {
    (void)arg;
    pthread_once(&once, initialise);
    int seen = config;  // NORACE: after the initialisation
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return config != 7;  // NORACE: after both joins
}
