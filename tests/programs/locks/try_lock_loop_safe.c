// Try-lock in a loop until it succeeds.
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
    counter++;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *trier(void *arg) {
    (void)arg;
    usleep(5000);
    while (pthread_mutex_trylock(&m) != 0)
        sched_yield();
    counter++;  // NORACE: the loop ends with m held
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
