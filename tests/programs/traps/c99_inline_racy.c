// C99 inline function without an external definition: its body vanishes from unoptimised code.
// NOT-RUNNABLE: does not link without optimisation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

inline void bump(void) {
    counter++;  // RACE! c1: no lock, in a body that must not be lost
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
