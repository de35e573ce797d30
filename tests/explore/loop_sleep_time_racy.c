// Gives up waiting after three seconds of its own time.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

int shared;
atomic_int f;
static void *worker(void *a) {
    time_t s = time(0);
    while (!atomic_load(&f)) {
        sleep(1);
        if (time(0) - s >= 3) {
            shared = 1;
            break;
        }
    }
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 2;
    atomic_store(&f, 1);
    pthread_join(thread, 0);
    return 0;
}
