// A thread is cancelled in a wait: it has the lock again when its handler runs, and its result says so.
// EXPECT: unknown: a cancelled thread may also end inside the C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int counter, cleaned, wrong;

static void unlock(void *unused) {
    counter++;
    cleaned++;
    pthread_mutex_unlock(&m);
}

static void *waiter(void *unused) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    while (counter < 100)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    wrong++;
    return 0;
}

static void *other(void *unused) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *meet(void *unused) {
    wrong++;
    return 0;
}

int main() {
    pthread_t a, b;
    void *result = 0;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, other, 0);
    pthread_cancel(a);
    pthread_join(a, &result);
    pthread_join(b, 0);
    if (result == PTHREAD_CANCELED && cleaned == 1 && counter == 2 && wrong == 0)
        return 0;
    pthread_create(&a, 0, meet, 0);
    wrong++;  // a race if anything went otherwise
    return 1;
}
