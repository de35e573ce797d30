// poll without waiting finds nothing yet.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

int shared, p[2];
static void *worker(void *a) {
    struct pollfd f = {p[0], POLLIN, 0};
    if (poll(&f, 1, 0) == 0)
        shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    pipe(p);
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    write(p[1], "a", 1);
    pthread_join(thread, 0);
    return 0;
}
