// A helper unlocks on its error path, and the caller returns then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int check(int input) {
    if (input < 0) {
        pthread_mutex_unlock(&m);
        return -1;
    }
    return 0;
}

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int status = check(*(int *)arg);
    if (status != 0)
        return NULL;
    counter++;  // NORACE: m is held when check returned 0
    if (status == 0)
        pthread_mutex_unlock(&m);
    return NULL;
}

static int good = 1, bad = -1;

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &good);
    pthread_create(&b, NULL, worker, &bad);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
