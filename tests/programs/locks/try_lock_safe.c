// Try-lock: the access happens only on success.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *holder(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    usleep(20000);
    counter++;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *trier(void *arg) {
    (void)arg;
    usleep(5000);
    if (pthread_mutex_trylock(&m) == 0) {
        counter++;  // NORACE: the try-lock succeeded
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, trier, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
