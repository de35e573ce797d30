// Try-lock written with the failure branch first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *holder(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    usleep(20000);
    counter++;  // NORACE: under m -> separated(common-lock)
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *trier(void *arg) {
    (void)arg;
    usleep(5000);
    if (pthread_mutex_trylock(&m))
        return NULL;
    counter++;  // NORACE: the result was 0
    pthread_mutex_unlock(&m);
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
