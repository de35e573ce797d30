// Was proved: the second thread was ordered after the first, but the first is started again while the second runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: its second instance runs along with reset
    return NULL;
}

static void *reset(void *arg) {
    (void)arg;
    counter = 5;  // RACE! c1: begins after the first instance of bump, not after the second
    return NULL;
}

int main(void) {
    pthread_t bumping, resetting;
    for (int round = 0; round < 2; round++) {
        pthread_create(&bumping, NULL, bump, NULL);
        if (round == 0) {
            pthread_join(bumping, NULL);
            pthread_create(&resetting, NULL, reset, NULL);
        }
    }
    pthread_join(bumping, NULL);
    pthread_join(resetting, NULL);
    return 0;
}
