// Two descriptions of one file, and the lock of the system on it.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

int shared;
static void *worker(void *a) {
    int f = open("/etc/passwd", O_RDONLY);
    flock(f, LOCK_EX);
    shared++;
    flock(f, LOCK_UN);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
