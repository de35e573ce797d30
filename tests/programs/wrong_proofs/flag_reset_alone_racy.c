// A variable used as a lock was reset while main was alone, and main was still taken for its holder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int taken;
static int counter;

static void *idle(void *arg) { return arg; }

static void *worker(void *arg) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&taken, &expected, 1)) {
        counter++;  // RACE! c: main is not the holder any more
        atomic_store(&taken, 0);
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    int expected = 0;
    pthread_create(&first, NULL, idle, NULL);
    if (!atomic_compare_exchange_strong(&taken, &expected, 1))
        return 1;
    pthread_join(first, NULL);
    atomic_init(&taken, 0);
    pthread_create(&second, NULL, worker, NULL);
    usleep(1000);
    counter++;  // RACE! c: nothing keeps the worker out
    pthread_join(second, NULL);
    return 0;
}
