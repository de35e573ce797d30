// A wrapper locks and accesses through its arguments; one caller passes the wrong pair.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t my = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void munge(int *value, pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    (*value)++;  // RACE! x1: x under mx in one thread, under my in the other
    pthread_mutex_unlock(mutex);
}

static void *one(void *arg) {
    (void)arg;
    usleep(5000);
    munge(&x, &mx);
    munge(&y, &my);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    munge(&x, &my);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x + y < 2;  // NORACE: after both joins
}
