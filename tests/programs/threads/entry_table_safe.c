// Thread entries in a table of function pointers; all of them take the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add_one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter += 1;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *add_two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter += 2;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *(*const entries[])(void *) = {add_one, add_two};

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, entries[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return counter != 3;  // NORACE: after both joins
}
