// Conditional locking by intervals: the access condition is weaker than the lock condition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    int n = level;  // NORACE: written before the threads start
    int locked = n > 8;
    if (locked)
        pthread_mutex_lock(&m);
    if (n > 7)
        counter++;  // RACE! c1: n == 8 gets here without the lock
    if (locked)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    level = argc + 7;  // NORACE: before the threads start
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
