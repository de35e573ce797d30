// Thread-specific data by key: every thread sets an object of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int shared;

static void count(void) {
    int *mine = pthread_getspecific(key);
    (*mine)++;  // NORACE: the object of this thread
}

static void *worker(void *arg) {
    (void)arg;
    int *fresh = calloc(1, sizeof *fresh);
    pthread_setspecific(key, fresh);
    count();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, NULL);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared == 1;  // NORACE: after both joins
}
