// A lock is initialised again while another thread takes it.
// CONFIRMED: the set-up is a plain write of the bytes that the other thread's call uses
// TSAN-MISSES: it does not look at the bytes of a mutex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);    // RACE! l1: beside the set-up
    pthread_mutex_unlock(&m);  // RACE! l1: beside the set-up
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, user, NULL);
    pthread_mutex_init(&m, NULL);  // RACE! l1: the thread runs already
    pthread_join(a, NULL);
    return 0;
}
