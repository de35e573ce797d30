// Plain mutex: both sides take the same one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *careful(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, careful, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
