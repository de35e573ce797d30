// poll finds something, or its time is over.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int p[2], shared, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    y = 1;
    pthread_mutex_unlock(&mutex);
    write(p[1], "a", 1);
    shared = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pipe(p);
    pthread_create(&thread, 0, worker, 0);
    struct pollfd f = {p[0], POLLIN, 0};
    if (poll(&f, 1, 100) == 1)
        shared = 2;
    pthread_join(thread, 0);
    return 0;
}
