// The nearest program without the race: both write under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int cells[4], data;
static volatile int count = 4;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int *end = cells + count;
    end[-1] = 1;
    data = 1;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[3];
    if (seen) data = 2;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
