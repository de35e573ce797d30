// Conditional locking by equality: locked and accessed when the keys agree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int wanted;
static int counter;

static void update(int key) {
    int key_fits = key == wanted;  // NORACE: wanted is written before the threads start
    if (key_fits)
        pthread_mutex_lock(&m);
    if (key == wanted)  // NORACE: wanted is written before the threads start
        counter++;  // NORACE: the lock is taken under the same condition
    if (key_fits)
        pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    update(*(int *)arg);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    int key = argc;
    wanted = argc;  // NORACE: before the threads start
    pthread_create(&a, NULL, worker, &key);
    pthread_create(&b, NULL, worker, &key);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
