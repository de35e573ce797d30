// Was proved: a rwlock refuses the writer that holds it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>

static int counter;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

int main(void) {
    pthread_t t;
    int own = 0;
    pthread_create(&t, NULL, bump, NULL);
    pthread_rwlock_wrlock(&w);
    if (pthread_rwlock_wrlock(&w) != 0)
        counter++;  // RACE! c1: the second lock fails
    pthread_rwlock_unlock(&w);
    pthread_join(t, NULL);
    return own > 5;
}
