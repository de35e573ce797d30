// The entry of a thread is chosen by the caller of a wrapper that starts it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *up(void *arg) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *down(void *arg) {
    pthread_mutex_lock(&m);
    counter--;
    pthread_mutex_unlock(&m);
    return 0;
}

static void run(pthread_t *t, void *(*entry)(void *)) { pthread_create(t, 0, entry, 0); }

int main(void) {
    pthread_t t;
    run(&t, rand() % 2 ? up : down);
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return counter;  // NORACE: after the join
}
