// Shared memory begins as zero in each execution.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/mman.h>

int *p;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    int v = p[1];
    pthread_mutex_unlock(&mutex);
    if (v)
        p[0] = 1;
    return 0;
}

int main() {
    p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    p[1] = 1;
    pthread_mutex_unlock(&mutex);
    p[0] = 2;
    pthread_join(thread, 0);
    return 0;
}
