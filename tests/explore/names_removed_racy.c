// A file that is gone tells something, and so does the size of one.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static int shared, file;
static void *asker(void *a) {
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size > 0 && open("done", O_RDONLY) < 0)
        shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    file = open("done", O_CREAT | O_WRONLY, 0600);
    pthread_create(&thread, 0, asker, 0);
    write(file, "a", 1);
    unlink("done");
    shared = 1;
    pthread_join(thread, 0);
    return 0;
}
