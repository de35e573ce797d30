// RELAY, Figure 11: a function returns an object, and does not always hold its lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>

static struct info {
    int inuse;
} table[8];
static pthread_mutex_t swap_lock = PTHREAD_MUTEX_INITIALIZER;

static struct info *get(unsigned long n) {
    if (n == 0) return &table[0];
    pthread_mutex_lock(&swap_lock);
    return &table[n & 1];
}

static void *worker(void *arg) {
    struct info *p = get((unsigned long)arg);
    p->inuse++;  // RACE! i1: the first thread does not hold it
    if (arg != NULL) pthread_mutex_unlock(&swap_lock);
    return NULL;
}

int main(void) {
    pthread_t t[4];
    for (unsigned long i = 0; i < 4; i++) pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    return 0;
}
