// A function pointer is replaced while another thread calls through it.
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
    handler = doubled;  // RACE! h1: the caller takes no lock
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *caller(void *arg) {
    (void)arg;
    int (*current)(int) = handler;  // RACE! h1: read without the lock
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
