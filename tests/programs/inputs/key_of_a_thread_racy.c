// One thread makes a key, another one tries it: with the right one it goes where main is without a lock.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// CONFIRMED: a solver finds the inputs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned key, door;
static int treasure;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *smith(void *arg) {
    const unsigned made = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&m);
    key = made;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *guard(void *arg) {
    pthread_mutex_lock(&m);
    door = key % 1000 * (key / 1000);
    if (door == 599 * 877) treasure = 1;  // RACE! t: with the right key, made before
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, smith, NULL);
    pthread_create(&b, NULL, guard, NULL);
    treasure = 2;  // RACE! t: no lock here
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
