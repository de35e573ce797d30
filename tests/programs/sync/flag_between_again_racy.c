// Main has seen the flag, and clears it when it is alone: the next thread sets up the table while main uses it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int table;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (!ready) {
        table = 42;  // RACE! t1: main does without the lock
        ready = 1;  // NORACE: under m
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    ready = 0;  // NORACE: nobody else runs
    pthread_create(&t, NULL, worker, NULL);
    table++;  // RACE! t1: the second thread may set it up
    pthread_join(t, NULL);
    return table;  // NORACE: behind the join
}
