// Double unlock of an error-checking mutex after the access: the second one has no effect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m;
static int counter;

static void leave(void) {
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: before the first unlock
    leave();
    pthread_mutex_unlock(&m);  // EPERM: not held any more
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t a, b;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
