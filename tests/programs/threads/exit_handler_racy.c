// The handler of exit() runs in main while a thread that nobody waited for still runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *waited_for(void *arg) {
    (void)arg;
    return NULL;
}

static void *left_alone(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    count = 2;  // RACE! c1: the handler does not take the lock
    pthread_mutex_unlock(&m);
    return NULL;
}

static void handler(void) {
    count++;  // RACE! c1: while the second thread runs
}

int main(void) {
    pthread_t a, b;
    atexit(handler);
    pthread_create(&a, NULL, waited_for, NULL);
    pthread_create(&b, NULL, left_alone, NULL);
    pthread_join(a, NULL);
    exit(0);
}
