// A thread calls one function twice that starts a helper, and waits in between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int n;
static pthread_t first, second;

static void *helper(void *arg) {
    (void)arg;
    n++;  // NORACE: one helper at a time
    return NULL;
}

static void begin(pthread_t *t) { pthread_create(t, NULL, helper, NULL); }

static void *boss(void *arg) {
    (void)arg;
    begin(&first);
    pthread_join(first, NULL);
    begin(&second);
    pthread_join(second, NULL);
    return NULL;
}

int main(void) {
    pthread_t b;
    pthread_create(&b, NULL, boss, NULL);
    pthread_join(b, NULL);
    return 0;
}
