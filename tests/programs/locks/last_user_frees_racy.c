// The last user of an object destroys it, but counts before it takes the lock.
// CONFIRMED: the other thread's unlock is not over yet
// TSAN-MISSES: it does not look at the bytes of a mutex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    atomic_int users;
};

static void *user(void *arg) {
    struct object *o = arg;
    const int left = atomic_fetch_sub(&o->users, 1) - 1;  // RACE! o1: the other may free it
    pthread_mutex_lock(&o->lock);                         // RACE! o1: the other may free it
    pthread_mutex_unlock(&o->lock);                       // RACE! o1: the other may free it
    if (left == 0)
        free(o);  // RACE! o1: the other may still be at the lock
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    atomic_init(&o->users, 2);
    pthread_create(&a, NULL, user, o);
    pthread_create(&b, NULL, user, o);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
