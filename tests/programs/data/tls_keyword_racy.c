// A variable that should have been thread-local.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int c11_count;
static __thread int gnu_count;

static void *worker(void *arg) {
    (void)arg;
    c11_count++;  // RACE! k1: shared by both threads
    gnu_count++;  // NORACE: one copy a thread
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
