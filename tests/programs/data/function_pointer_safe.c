// A function pointer is replaced and read under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int plain(int x) {
    return x;
}

static int doubled(int x) {
    return 2 * x;
}

static int (*handler)(int) = plain;

static void *install(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    handler = doubled;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *caller(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int (*current)(int) = handler;  // NORACE: under m
    pthread_mutex_unlock(&m);
    current(1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, install, NULL);
    pthread_create(&b, NULL, caller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return handler(1) != 2;  // NORACE: after both joins
}
