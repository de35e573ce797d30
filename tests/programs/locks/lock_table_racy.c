// Lock functions in a table: one client got the table of empty functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct lock_ops {
    int (*acquire)(pthread_mutex_t *);
    int (*release)(pthread_mutex_t *);
};

static int nothing(pthread_mutex_t *m) {
    (void)m;
    return 0;
}

static const struct lock_ops real_ops = {pthread_mutex_lock, pthread_mutex_unlock};
static const struct lock_ops empty_ops = {nothing, nothing};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void update(const struct lock_ops *ops) {
    ops->acquire(&m);
    counter++;  // RACE! c1: one caller's acquire does nothing
    ops->release(&m);
}

static void *one(void *arg) {
    (void)arg;
    update(&real_ops);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    update(&empty_ops);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
