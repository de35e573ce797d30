// Wrong lock: the two sides hold different mutexes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *one(void *arg) {
    (void)arg;
    usleep(5000);
    pthread_mutex_lock(&m1);
    first++;  // RACE! f1: holds only m1
    pthread_mutex_unlock(&m1);
    pthread_mutex_lock(&m2);
    second++;  // NORACE: always under m2
    pthread_mutex_unlock(&m2);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m2);
    first++;  // RACE! f1: holds only m2
    second++;  // NORACE: always under m2
    pthread_mutex_unlock(&m2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return first + second != 4;  // NORACE: after both joins
}
