// Try-lock in a loop that gives up after three attempts and goes on without the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *holder(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    usleep(20000);
    counter++;  // RACE! c1: the other side may have given up on m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *trier(void *arg) {
    (void)arg;
    usleep(5000);
    int held = 0;
    for (int tries = 0; tries < 3 && !held; tries++)
        held = pthread_mutex_trylock(&m) == 0;
    counter++;  // RACE! c1: held may be 0 after three attempts
    if (held)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, trier, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
