// Sequence lock whose data are plain variables: the reader's copy races even if it is thrown away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int low;

static void *writer(void *arg) {
    (void)arg;
    atomic_fetch_add(&sequence, 1);
    low = 1;  // RACE! d1: the reader may be copying
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    unsigned before, after;
    int copy;
    do {
        before = atomic_load(&sequence);
        copy = low;  // RACE! d1: the writer may be writing
        after = atomic_load(&sequence);
        if (before != after)
            sched_yield();
    } while (before != after || before % 2 != 0);
    (void)copy;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return low != 1;  // NORACE: after both joins
}
