// The condition wait is over before the child that relies on the lock is created.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go, data;

static void *child(void *arg) {
    (void)arg;
    data++;  // NORACE: the parent holds m until it joined this thread
    return NULL;
}

static void *parent(void *arg) {
    (void)arg;
    pthread_t t;
    pthread_mutex_lock(&m);
    while (!go)  // NORACE: under m
        pthread_cond_wait(&changed, &m);
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    usleep(10000);
    pthread_mutex_lock(&m);
    go = 1;  // NORACE: under m
    data++;  // NORACE: excludes the parent and so the child
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, parent, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 2;  // NORACE: after both joins
}
