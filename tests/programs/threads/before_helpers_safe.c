// A thread uses one function before it starts its helper, and under the lock from then on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int jobs, next;

static void choose(void) {
    next = jobs > 0;  // NORACE: before the helper exists, or under m
}

static void *helper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    jobs++;  // NORACE: under m, and behind the thread's first choice
    choose();
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *boss(void *arg) {
    (void)arg;
    pthread_t h;
    choose();
    pthread_create(&h, NULL, helper, NULL);
    pthread_mutex_lock(&m);
    choose();
    pthread_mutex_unlock(&m);
    pthread_join(h, NULL);
    return NULL;
}

int main(void) {
    pthread_t b;
    pthread_create(&b, NULL, boss, NULL);
    pthread_join(b, NULL);
    return 0;
}
