// C99 inline function with an external definition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

extern inline void bump(void);

inline void bump(void) {
    pthread_mutex_lock(&m);
    counter++;  // NORACE: under m
    pthread_mutex_unlock(&m);
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
