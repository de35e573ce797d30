// A thread calls one function twice that starts a helper: two of them run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int n;
static pthread_t first, second;

static void *helper(void *arg) {
    (void)arg;
    n++;  // RACE! n1: two helpers
    return NULL;
}

static void begin(pthread_t *t) { pthread_create(t, NULL, helper, NULL); }

static void *boss(void *arg) {
    (void)arg;
    begin(&first);
    begin(&second);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return NULL;
}

int main(void) {
    pthread_t b;
    pthread_create(&b, NULL, boss, NULL);
    pthread_join(b, NULL);
    return 0;
}
