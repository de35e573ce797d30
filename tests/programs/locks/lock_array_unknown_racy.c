// Array of locks with unknown indices: element k under lock k on one side, under lock k + 1 on the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static int data[4];
static unsigned k;

static void *one(void *arg) {
    (void)arg;
    unsigned i = k;  // NORACE: written before the threads start
    pthread_mutex_lock(&m[i]);
    data[i]++;  // RACE! d1: holds m[i]
    pthread_mutex_unlock(&m[i]);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    unsigned i = k;  // NORACE: written before the threads start
    pthread_mutex_lock(&m[i + 1]);
    data[i]++;  // RACE! d1: holds m[i + 1]
    pthread_mutex_unlock(&m[i + 1]);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    k = (unsigned)argc % 3;  // NORACE: before the threads start
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data[k] != 2;  // NORACE: after both joins
}
