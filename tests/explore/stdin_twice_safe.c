// Standard input begins anew in each execution.
// EXPECT: race-free
// STDIN: hello
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int seen;
static void *worker(void *a) {
    if (!seen)
        shared = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main() {
    char b[16] = "";
    read(0, b, 16);
    seen = b[0] == 'h';
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (!seen)
        shared = 2;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
