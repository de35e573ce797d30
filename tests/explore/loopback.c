// Two threads talk over the loopback device.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int s, shared;
struct sockaddr_in a;
socklen_t l = sizeof a;
static void *worker(void *q) {
    int c = socket(AF_INET, SOCK_STREAM, 0);
    connect(c, (struct sockaddr *)&a, sizeof a);
    shared = 1;
    write(c, "hi", 2);
    close(c);
    return 0;
}

int main() {
    s = socket(AF_INET, SOCK_STREAM, 0);
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(s, (struct sockaddr *)&a, sizeof a);
    listen(s, 4);
    getsockname(s, (struct sockaddr *)&a, &l);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int c = accept(s, 0, 0);
    char b[4];
    if (read(c, b, 2) == 2)
        shared = 2;
    pthread_join(thread, 0);
    close(c);
    close(s);
    return 0;
}
