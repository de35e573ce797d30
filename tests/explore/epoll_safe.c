// Waits with epoll for what another thread writes.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

int shared, p[2], e;
static void *worker(void *a) {
    struct epoll_event ev;
    if (epoll_wait(e, &ev, 1, -1) == 1) {
        char c;
        read(p[0], &c, 1);
        shared = 2;
    }
    return 0;
}

int main() {
    pthread_t thread;
    pipe(p);
    e = epoll_create1(0);
    struct epoll_event ev = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &ev);
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    write(p[1], "a", 1);
    pthread_join(thread, 0);
    return 0;
}
