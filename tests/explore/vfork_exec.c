// vfork and exec.
// EXPECT: unknown: vfork
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static void *worker(void *a) {
    if (vfork() == 0) {
        execl("/bin/true", "true", (char *)0);
        _exit(1);
    }
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
