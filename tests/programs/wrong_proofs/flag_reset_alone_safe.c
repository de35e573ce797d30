// As the racy one, but main takes the lock again before it touches the data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void *worker(void *arg) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&taken, &expected, 1)) {
        counter++;  // NORACE: one holder at a time
        atomic_store(&taken, 0);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    int expected = 0;
    pthread_create(&thread, NULL, worker, NULL);
    if (atomic_compare_exchange_strong(&taken, &expected, 1)) {
        counter++;  // NORACE: one holder at a time
        atomic_store(&taken, 0);
    }
    pthread_join(thread, NULL);
    return 0;
}
