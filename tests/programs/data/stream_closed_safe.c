// Two threads use one stream; in the racy program one of them closes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static FILE *log_file;

static void *writer(void *arg) {
    fputs("text", log_file);  // NORACE: the library locks the stream
    return arg;
}

static void *other(void *arg) {
    fflush(log_file);  // NORACE: the library locks the stream
    return arg;
}

int main(void) {
    pthread_t t, u;
    log_file = fopen("/dev/null", "w");
    if (log_file == NULL)
        return 1;
    pthread_create(&t, NULL, writer, NULL);
    pthread_create(&u, NULL, other, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
