// Nondeterministic index: lock and value of the same element.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int data[3];

static void *worker(void *arg) {
    (void)arg;
    int i = __VERIFIER_nondet_int();
    assume_abort_if_not(i >= 0 && i < 3);
    pthread_mutex_lock(&locks[i]);
    data[i]++;  // NORACE: under the lock of the same element
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
