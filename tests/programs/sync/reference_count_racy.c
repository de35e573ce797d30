// Reference count: the object is used after the reference was dropped.
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
    int last = atomic_fetch_sub(&o->references, 1) == 1;  // RACE o1: known false alarm, the last count frees
    seen = o->value;  // RACE! o1: the other thread may have freed it
    if (last)
        free(o);  // RACE! o1: the other thread may still read
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
