// A read that does not wait finds nothing yet.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int p[2], shared;
static void *worker(void *a) {
    char c;
    if (read(p[0], &c, 1) < 0 && errno == EAGAIN)
        shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    pipe(p);
    fcntl(p[0], F_SETFL, O_NONBLOCK);
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    write(p[1], "a", 1);
    pthread_join(thread, 0);
    return 0;
}
