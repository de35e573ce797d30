// main joins the second instance of bump itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: each instance is joined before anything else happens -> separated(already-joined)
    return NULL;
}

static void *idle(void *arg) {
    (void)arg;
    return NULL;
}

int main(void) {
    pthread_t bumping, idling;
    for (int round = 0; round < 2; round++) {
        pthread_create(&bumping, NULL, bump, NULL);
        if (round == 0) {
            pthread_join(bumping, NULL);
            pthread_create(&idling, NULL, idle, NULL);
        } else {
            pthread_join(bumping, NULL);
            counter = 1;  // NORACE: both instances of bump have ended
        }
    }
    pthread_join(idling, NULL);
    return 0;
}
