// A structure is copied under the lock that guards its fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct point {
    int x, y;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct point shared;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    shared.y = 2;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    struct point copy;
    pthread_mutex_lock(&m);
    copy = shared;  // NORACE: under m
    pthread_mutex_unlock(&m);
    (void)copy;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared.y != 2;  // NORACE: after both joins
}
