// Threads created detached by an attribute; one updates the counter without the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *careful(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // RACE! c1: the other thread holds no lock
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: no lock here
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
