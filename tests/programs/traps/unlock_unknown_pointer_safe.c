// Unlock through a pointer that never points to the lock that protects the data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *last;
static int counter;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_t *released = last;  // NORACE: written before the threads start
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&third);
    pthread_mutex_unlock(released);
    counter++;  // NORACE: released is other or third, m is held
    if (released != &third)
        pthread_mutex_unlock(&third);
    if (released != &other)
        pthread_mutex_unlock(&other);
    if (released != &m)
        pthread_mutex_unlock(&m);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    last = argc > 1 ? &other : &third;  // NORACE: before the threads start
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
