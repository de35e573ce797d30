// A branch behind a constant that is true.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static const int debug = 1;
static int traces;

static void *worker(void *arg) {
    (void)arg;
    if (debug)
        traces++;  // RACE! t1: debug is 1
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
