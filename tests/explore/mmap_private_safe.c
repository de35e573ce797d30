// Memory that the program maps itself.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/mman.h>

int *p;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (int i = 0; i < 3; ++i) {
        pthread_mutex_lock(&mutex);
        p[1]++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main() {
    p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    munmap(p, 1 << 20);
    return 0;
}
