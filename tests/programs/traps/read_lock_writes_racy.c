// Two readers write under the read lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *worker(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    hits++;  // RACE! h1: read locks do not exclude each other
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return hits != 2;  // NORACE: after both joins
}
