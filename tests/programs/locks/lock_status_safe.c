// A helper tells whether it locked; the caller uses the status for the access too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int acquire(int wanted) {
    if (!wanted)
        return 0;
    pthread_mutex_lock(&m);
    return 1;
}

static void *worker(void *arg) {
    int held = acquire(arg != NULL);
    if (held)
        counter++;  // NORACE: held is 1 only when m is held
    if (held)
        pthread_mutex_unlock(&m);
    return NULL;
}

static int token;

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &token);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
