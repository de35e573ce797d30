// A flag under a lock orders two threads.
// Decided by running it; statically: order by a flag under a lock is not used as a proof yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done, data;

static void *first(void *arg) {
    (void)arg;
    usleep(5000);
    data = 1;  // NORACE: before done is set
    pthread_mutex_lock(&m);
    done = 1;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    int seen = 0;
    pthread_mutex_lock(&m);
    int may_use = done;  // NORACE: under m
    pthread_mutex_unlock(&m);
    if (may_use)
        seen = data;  // NORACE: only when done was set
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 1;  // NORACE: after both joins
}
