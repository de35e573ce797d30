// Loads a library while it runs.
// EXPECT: unknown: a library is loaded
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
double r;
static void *worker(void *a) {
    void *thread = dlopen("libresolv.so.2", RTLD_NOW);
    pthread_mutex_lock(&mutex);
    shared += thread != 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
