// A thread runs twice, one after the other, and leaves a helper behind each time: the two helpers meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data;

static void *helper(void *arg) {
    (void)arg;
    data = data + 1;  // RACE! d1: nobody waits for the helper of the first round
    return NULL;
}

static void *boss(void *arg) {
    (void)arg;
    pthread_t t;
    pthread_create(&t, NULL, helper, NULL);
    pthread_detach(t);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, boss, NULL);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, boss, NULL);
    pthread_join(t, NULL);
    return 0;
}
