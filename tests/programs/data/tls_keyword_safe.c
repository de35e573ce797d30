// Thread-local variables by keyword, C11 and GNU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static _Thread_local int c11_count;
static __thread int gnu_count;

static void *worker(void *arg) {
    (void)arg;
    c11_count++;  // NORACE: one copy a thread
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
