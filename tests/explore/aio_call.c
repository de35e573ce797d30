// Asks for input that the C library reads in a thread of its own.
// EXPECT: unknown: aio_read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

char b[8];
struct aiocb c;
static void *worker(void *a) {
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    c.aio_fildes = open("/etc/passwd", O_RDONLY);
    c.aio_buf = b;
    c.aio_nbytes = 4;
    aio_read(&c);
    const struct aiocb *l[1] = {&c};
    aio_suspend(l, 1, 0);
    pthread_join(thread, 0);
    return 0;
}
