// A thread uses a local variable of the function that started it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_t t;

static void *work(void *arg) {
    *(int *)arg = 1;  // NORACE: its function waits
    return NULL;
}

static void start(void) {
    int local = 0;
    pthread_create(&t, NULL, work, &local);
    pthread_join(t, NULL);
}  // NORACE: the thread has ended

int main(void) {
    start();
    return 0;
}
