// The lock of one object for the value of another after a test that they are the same.
// Decided by running it; statically: a test that two loaded addresses are equal does not rule out the path
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct object {
    pthread_mutex_t m;
    int value;
};

struct pair {
    struct object *guard, *target;
};

static struct object x = {PTHREAD_MUTEX_INITIALIZER, 0}, y = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct pair same = {&x, &x}, mixed = {&y, &x};

static void *worker(void *arg) {
    struct pair *p = arg;
    pthread_mutex_lock(&p->guard->m);
    if (p->guard == p->target)
        p->target->value++;  // NORACE: guard and target are one object
    pthread_mutex_unlock(&p->guard->m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &mixed);
    pthread_create(&b, NULL, worker, &same);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x.value + y.value == 0;  // NORACE: after both joins
}
