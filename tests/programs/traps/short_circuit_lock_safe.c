// A lock call behind a short circuit, and an access in the branch it guards.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
    int locked = 0;
    if (arg != NULL && pthread_mutex_lock(&m) == 0) {
        locked = 1;
        counter++;  // NORACE: the lock call was made and returned 0
    }
    if (locked)
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
