// Leaves files open: each execution gets the same descriptors.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int bad, first;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (int i = 0; i < 4; ++i) {
        pthread_mutex_lock(&mutex);
        int f = open("/etc/passwd", O_RDONLY);
        if (f != first + i)
            bad = 1;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main() {
    first = dup(0);
    close(first);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (int i = 0; i < 4; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, 0);
    if (bad)
        *(int *)0 = 1;
    return 0;
}
