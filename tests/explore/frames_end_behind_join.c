// pthread_exit ends the frames of its thread: behind the end of the one that read them.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int seen;

static void *reader(void *where) {
    seen = *(int *)where;
    return NULL;
}

static void *worker(void *unused) {
    int local = 5;
    pthread_t t;
    pthread_create(&t, NULL, reader, &local);
    pthread_join(t, NULL);
    pthread_exit(unused);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
