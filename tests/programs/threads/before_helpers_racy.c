// A thread uses one function without the lock once more when its helper runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int jobs, next;

static void choose(void) {
    next = jobs > 0;  // RACE! j1: boss is here without m while helper runs
}

static void *helper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    jobs++;  // RACE! j1: boss reads it without m
    choose();
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *boss(void *arg) {
    (void)arg;
    pthread_t h;
    choose();
    pthread_create(&h, NULL, helper, NULL);
    choose();
    pthread_join(h, NULL);
    return NULL;
}

int main(void) {
    pthread_t b;
    pthread_create(&b, NULL, boss, NULL);
    pthread_join(b, NULL);
    return 0;
}
