// A gigabyte of static memory of which little is used.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static char big[1u << 30];
static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (int i = 0; i < 3; ++i) {
        pthread_mutex_lock(&mutex);
        big[shared << 20]++;
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
