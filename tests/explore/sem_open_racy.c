// A semaphore with a name, which lets two in.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

sem_t *s;
int shared;
static void *worker(void *a) {
    sem_wait(s);
    shared++;
    sem_post(s);
    return 0;
}

int main() {
    s = sem_open("/heddle_attack", O_CREAT, 0600, 2);
    sem_unlink("/heddle_attack");
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
