// The destructor of a cancelled thread's key.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_key_t key;
static int shared, ends[2];

static void destroy(void *value) {
    shared++;
}

static void *worker(void *unused) {
    char byte;
    pthread_setspecific(key, &key);
    read(ends[0], &byte, 1);
    pthread_setspecific(key, 0);
    return 0;
}

int main() {
    pthread_t thread;
    pipe(ends);
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
