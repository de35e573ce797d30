// longjmp out of a helper with the lock still held.
// UNDECIDED: longjmp is not treated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void fail(jmp_buf where) {
    longjmp(where, 1);
}

static void *worker(void *arg) {
    (void)arg;
    jmp_buf where;
    pthread_mutex_lock(&m);
    if (setjmp(where) == 0)
        fail(where);
    counter++;  // NORACE: m is still held after the jump
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
