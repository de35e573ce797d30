// One thread sets the control of a pthread_once back while another calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) {}

static void *reset(void *arg) {
    (void)arg;
    once = PTHREAD_ONCE_INIT;  // RACE! o1: a plain write
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_once(&once, init);
    pthread_create(&t, NULL, reset, NULL);
    pthread_once(&once, init);  // RACE! o1: looks at it
    pthread_join(t, NULL);
    return 0;
}
