// Double-checked locking with a plain flag.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int initialised;
static int config;

static void *worker(void *arg) {
    (void)arg;
    if (!initialised) {  // RACE! i1: the first check holds no lock
        pthread_mutex_lock(&m);
        if (!initialised) {  // NORACE: under m
            config = 7;  // RACE! k1: the fast path of the other thread holds no lock
            initialised = 1;  // RACE! i1: the first check of the other thread
        }
        pthread_mutex_unlock(&m);
    }
    int seen = config;  // RACE! k1: the flag orders nothing
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
