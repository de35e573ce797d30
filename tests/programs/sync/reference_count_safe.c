// Reference count: the last one to drop its reference frees the object.
// Decided by running it; statically: that the last count belongs to one thread alone is not used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    long value;
};

static void *worker(void *arg) {
    struct object *o = arg;
    long seen;
    seen = o->value;  // NORACE: the reference is still held
    int last = atomic_fetch_sub(&o->references, 1) == 1;  // NORACE: before the last one frees
    if (last)
        free(o);  // NORACE: every other reference is dropped
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->references, 2);
    o->value = 1;  // NORACE: before the threads start
    pthread_create(&a, NULL, worker, o);
    pthread_create(&b, NULL, worker, o);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
