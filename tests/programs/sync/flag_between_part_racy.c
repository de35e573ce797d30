// A part of the flag is cleared again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int table;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready) {
        table = 42;  // RACE! t1: once more
        ready = 1;  // NORACE: under m
    }
    pthread_mutex_unlock(&m);
    table++;  // RACE! t1: while another one sets it up
    pthread_mutex_lock(&m);
    for (int i = 0; arg && i < (int)sizeof ready; ++i)
        ((char *)&ready)[i] = 0;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, &t);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
