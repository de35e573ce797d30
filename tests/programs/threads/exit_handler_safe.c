// The handler of exit() runs in main when all threads have ended.
// UNDECIDED: functions that run at the end of the program are an obstacle
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
    count = 2;  // NORACE: main waits
    pthread_mutex_unlock(&m);
    return NULL;
}

static void handler(void) {
    count++;  // NORACE: nobody else is left
}

int main(void) {
    pthread_t a, b;
    atexit(handler);
    pthread_create(&a, NULL, waited_for, NULL);
    pthread_create(&b, NULL, left_alone, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    exit(0);
}
