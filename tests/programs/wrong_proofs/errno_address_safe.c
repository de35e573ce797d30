// Each thread writes its own errno.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <pthread.h>

static int *window;

static void *worker(void *arg) {
    (void)arg;
    errno = *window;  // NORACE: main's errno is only read, this thread's own is written
    return NULL;
}

int main(void) {
    pthread_t t;
    window = &errno;  // NORACE: before the create
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    errno = 2;  // NORACE: after the join
    return 0;
}
