// Was proved: an error-checking mutex is not released by who does not hold it, and says so.
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
    if (pthread_mutex_unlock(&m) != 0)
        counter++;  // RACE! c1: nobody held it
    pthread_join(t, NULL);
    return own > 5;
}
