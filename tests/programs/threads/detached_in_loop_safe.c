// A loop starts threads of one kind and detaches each; what they share has a lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int served;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *arg) {
    pthread_mutex_lock(&m);
    served++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, serve, NULL);
        pthread_detach(t);
    }
    return 0;
}
