// Was proved: two keys created by one call in a loop were one; what was stored under the second replaced the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

static int own;

int main(void) {
    pthread_t t;
    pthread_key_t keys[2];
    for (int i = 0; i < 2; i++)
        pthread_key_create(&keys[i], NULL);
    pthread_setspecific(keys[0], &counter);
    pthread_setspecific(keys[1], &own);
    pthread_create(&t, NULL, bump, NULL);
    int *target = pthread_getspecific(keys[0]);
    *target = 3;  // RACE! c1: the counter
    pthread_join(t, NULL);
    return 0;
}
