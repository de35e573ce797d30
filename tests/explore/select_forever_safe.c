// Waits with select for what another thread writes.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

int shared, p[2];
static void *worker(void *a) {
    fd_set s;
    FD_ZERO(&s);
    FD_SET(p[0], &s);
    if (select(p[0] + 1, &s, 0, 0, 0) == 1)
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
