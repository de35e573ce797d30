// A lock is initialised again when nobody uses it any more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);    // NORACE: joined before the set-up
    pthread_mutex_unlock(&m);  // NORACE: joined before the set-up
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_mutex_init(&m, NULL);  // NORACE: behind the join
    return 0;
}
