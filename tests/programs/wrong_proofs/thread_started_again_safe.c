// The first thread is started again only after the second has ended.
// Decided by running it; statically: instances that a loop creates and joins one after the other are held to overlap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: its instances run before and after reset
    return NULL;
}

static void *reset(void *arg) {
    (void)arg;
    counter = 5;  // NORACE: between the two instances of bump
    return NULL;
}

int main(void) {
    pthread_t bumping, resetting;
    for (int round = 0; round < 2; round++) {
        pthread_create(&bumping, NULL, bump, NULL);
        if (round == 0) {
            pthread_join(bumping, NULL);
            pthread_create(&resetting, NULL, reset, NULL);
            pthread_join(resetting, NULL);
        }
    }
    pthread_join(bumping, NULL);
    return 0;
}
