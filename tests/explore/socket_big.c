// Sends more than a socket holds at once.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int p[2], shared;
static char b[2000000], c[2000000];
static void *worker(void *a) {
    size_t n = 0;
    while (n < sizeof c) {
        ssize_t k = recv(p[0], c + n, sizeof c - n, 0);
        if (k <= 0)
            break;
        n += k;
    }
    shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    send(p[1], b, sizeof b, 0);
    pthread_join(thread, 0);
    return 0;
}
