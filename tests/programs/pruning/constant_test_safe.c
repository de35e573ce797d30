// A dead branch behind a constant test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static const int debug = 0;
static int traces;

static void *worker(void *arg) {
    (void)arg;
    if (debug)
        traces++;  // NORACE: dead: debug is 0
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return traces == 1;  // NORACE: after both joins
}
