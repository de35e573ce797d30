// Two threads write to a file that the program makes.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    int f = *(int *)a;
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
        write(f, "a", 1);
    }
    return 0;
}

int main() {
    pthread_t thread;
    int f = open("made_by_attack", O_CREAT | O_TRUNC | O_RDWR, 0600);
    pthread_create(&thread, 0, worker, &f);
    worker(&f);
    pthread_join(thread, 0);
    return 0;
}
