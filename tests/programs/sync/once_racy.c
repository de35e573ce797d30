// A home-made "once" with a plain flag.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int config;
static int initialised;

static void *worker(void *arg) {
    (void)arg;
    if (!initialised) {  // RACE! i1: the other thread may write it
        initialised = 1;  // RACE! i1: no lock
        config = 7;  // RACE! k1: the other thread may read it
    }
    int seen = config;  // RACE! k1: the other thread may write it
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
