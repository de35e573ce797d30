// Messages about errors that did not happen keep nothing from being left out.
// EXPECT: race-free: 1 execution
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, limit = 9;

static void *worker(void *a) {
    for (int i = 0; i < 3; ++i) {
        pthread_mutex_lock(&m);
        int now = ++count;
        pthread_mutex_unlock(&m);
        if (now > limit) {
            fprintf(stderr, "too many: %s\n", strerror(errno));
            int log = open("log", O_WRONLY);
            if (log >= 0)
                close(log);
        }
    }
    return 0;
}

int main() {
    pthread_t t[3];
    for (int i = 0; i < 3; ++i)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; ++i)
        pthread_join(t[i], 0);
    return count != 9;
}
