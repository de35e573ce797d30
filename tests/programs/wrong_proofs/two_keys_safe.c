// Two keys of their own: what lies under the second is private.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

static int own;

int main(void) {
    pthread_t t;
    pthread_key_t counter_key, own_key;
    pthread_key_create(&counter_key, NULL);
    pthread_key_create(&own_key, NULL);
    pthread_setspecific(counter_key, &counter);
    pthread_setspecific(own_key, &own);
    pthread_create(&t, NULL, bump, NULL);
    int *target = pthread_getspecific(own_key);
    *target = 3;  // NORACE: own, which no other thread touches
    pthread_join(t, NULL);
    return 0;
}
