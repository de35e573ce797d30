// The last user of an object destroys it; POSIX lets a mutex go as soon as it is unlocked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int users;
};

static void *user(void *arg) {
    struct object *o = arg;
    pthread_mutex_lock(&o->lock);            // NORACE: the other frees only behind its own turn
    const int left = --o->users;             // NORACE: under the lock
    pthread_mutex_unlock(&o->lock);          // NORACE: comes before the other's lock if that one is last
    if (left == 0) {
        pthread_mutex_destroy(&o->lock);     // NORACE: the last one
        free(o);                             // NORACE: the last one
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    o->users = 2;
    pthread_create(&a, NULL, user, o);
    pthread_create(&b, NULL, user, o);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
