// The thread is joined on both paths.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data;

static void *worker(void *arg) {
    (void)arg;
    data = 1;  // NORACE: joined on every path
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    int seen, joined = 0;
    pthread_create(&t, NULL, worker, NULL);
    if (argc > 1) {
        pthread_join(t, NULL);
        joined = 1;
    }
    if (!joined)
        pthread_join(t, NULL);
    seen = data;  // NORACE: joined on every path
    return seen > 1;
}
