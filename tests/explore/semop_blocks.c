// A semaphore of the system: no race, and no proof.
// EXPECT: unknown: the system keeps a queue
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/sem.h>

int shared, s;
static void *worker(void *a) {
    struct sembuf d = {0, -1, 0}, u = {0, 1, 0};
    semop(s, &d, 1);
    shared++;
    semop(s, &u, 1);
    return 0;
}

int main() {
    s = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf u = {0, 1, 0};
    semop(s, &u, 1);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    semctl(s, 0, IPC_RMID);
    return 0;
}
