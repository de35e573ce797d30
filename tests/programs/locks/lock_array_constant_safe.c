// Array of locks with constant indices that agree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m[0]);
    counter++;  // NORACE: both sides hold m[0]
    pthread_mutex_unlock(&m[0]);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m[0]);
    counter++;  // NORACE: both sides hold m[0]
    pthread_mutex_unlock(&m[0]);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
