// A lock whose code is elsewhere and whose declaration says what it does, taken on both sides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOT-RUNNABLE: the lock functions are declared only
#include <pthread.h>

struct __attribute__((capability("mutex"))) lock {
    int word;
};
void lock_take(struct lock *l) __attribute__((acquire_capability(*l)));
int lock_try(struct lock *l) __attribute__((try_acquire_capability(1, l)));
void lock_give(struct lock *l) __attribute__((release_capability(*l)));

static struct lock guard;
static int count;

static void *adder(void *arg) {
    (void)arg;
    lock_take(&guard);
    count++;  // NORACE: under guard
    lock_give(&guard);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, adder, NULL);
    if (lock_try(&guard)) {
        count++;  // NORACE: under guard, as the try succeeded
        lock_give(&guard);
    }
    pthread_join(t, NULL);
    return 0;
}
