// The control of a pthread_once is set back when nobody else calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void) {}

static void *reset(void *arg) {
    (void)arg;
    once = PTHREAD_ONCE_INIT;  // NORACE: main waits
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_once(&once, init);
    pthread_create(&t, NULL, reset, NULL);
    pthread_join(t, NULL);
    pthread_once(&once, init);  // NORACE: the other has ended
    return 0;
}
