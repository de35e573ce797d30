// The pointer moves on after the lock was taken through it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct box {
    pthread_mutex_t m;
    int value;
};

static struct box x = {PTHREAD_MUTEX_INITIALIZER, 0}, y = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *one(void *arg) {
    (void)arg;
    struct box *p = &x;
    pthread_mutex_lock(&p->m);
    p = &y;
    p->value++;  // RACE! y1: holds x.m
    pthread_mutex_unlock(&x.m);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&y.m);
    y.value++;  // RACE! y1: holds y.m
    pthread_mutex_unlock(&y.m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return y.value != 2;  // NORACE: after both joins
}
