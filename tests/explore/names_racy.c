// A file that is there tells something.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int shared;
static void *asker(void *a) {
    struct stat status;
    if (stat("done", &status) == 0)
        shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, asker, 0);
    close(open("done", O_CREAT | O_WRONLY, 0600));
    shared = 1;
    pthread_join(thread, 0);
    unlink("done");
    return 0;
}
