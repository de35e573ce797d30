// Waits for a message of the system's queue: no race, and no proof.
// EXPECT: unknown: the system keeps a queue
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

int shared, s;
static void *worker(void *a) {
    struct {
        long kind;
        char c;
    } b;
    msgrcv(s, &b, 1, 0, 0);
    shared = 2;
    return 0;
}

int main() {
    s = msgget(IPC_PRIVATE, 0600);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    struct {
        long kind;
        char c;
    } b = {1, 'a'};
    msgsnd(s, &b, 1, 0);
    pthread_join(thread, 0);
    msgctl(s, IPC_RMID, 0);
    return 0;
}
