// A thread is cancelled in a wait, and its handler writes behind its unlock.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int counter;

static void unlock(void *unused) {
    pthread_mutex_unlock(&m);
    counter++;
}

static void *waiter(void *unused) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    while (counter < 100)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    return 0;
}

static void *other(void *unused) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, other, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
