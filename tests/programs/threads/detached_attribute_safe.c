// Threads created detached by an attribute; both update the counter under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *careful(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, careful, NULL);
    pthread_create(&t, &attr, other, NULL);
    usleep(20000);
    return 0;
}
