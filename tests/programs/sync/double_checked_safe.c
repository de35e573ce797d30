// Double-checked locking with an atomic flag.
// Decided by running it; statically: order by release and acquire is not used as a proof yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int initialised;
static int config;

static void *worker(void *arg) {
    (void)arg;
    if (!initialised) {  // NORACE: atomic -> separated(both-atomic)
        pthread_mutex_lock(&m);
        if (!initialised) {  // NORACE: under m
            config = 7;  // NORACE: before the flag is set
            initialised = 1;  // NORACE: atomic
        }
        pthread_mutex_unlock(&m);
    }
    int seen = config;  // NORACE: after the flag was seen
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
