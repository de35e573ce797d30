// Makes a file that must not exist: each execution has to be the first.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int shared, y, r;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    y++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    int late = r;
    pthread_mutex_unlock(&mutex);
    if (late)
        shared = 1;
    return 0;
}

int main() {
    pthread_t thread;
    int f = open("excl_file2", O_CREAT | O_EXCL | O_RDWR, 0600);
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    if (y == 1 && f >= 0)
        r = 1;
    pthread_mutex_unlock(&mutex);
    if (f >= 0)
        shared = 2;
    pthread_join(thread, 0);
    return 0;
}
