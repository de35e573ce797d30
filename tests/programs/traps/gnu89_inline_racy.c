// GNU inline function with the access in its body.
// FLAGS: -fgnu89-inline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

inline void bump(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    counter++;  // RACE! c1: after the unlock
}

static void *worker(void *arg) {
    (void)arg;
    bump();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
