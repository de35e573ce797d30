// Was proved: an error-checking mutex refuses its owner instead of waiting for ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>

static int counter;
static pthread_mutex_t m;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

int main(void) {
    pthread_t t;
    int own = 0;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &kind);
    pthread_create(&t, NULL, bump, NULL);
    pthread_mutex_lock(&m);
    if (pthread_mutex_lock(&m) != 0)
        counter++;  // RACE! c1: the second lock fails
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return own > 5;
}
