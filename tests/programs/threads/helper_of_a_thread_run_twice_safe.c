// A thread runs twice, one after the other, and waits for its helper each time: the two helpers do not meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data;

static void *helper(void *arg) {
    (void)arg;
    data = data + 1;  // NORACE: one helper at a time
    return NULL;
}

static void *boss(void *arg) {
    (void)arg;
    pthread_t t;
    pthread_create(&t, NULL, helper, NULL);
    pthread_join(t, NULL);
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
