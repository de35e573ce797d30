// A pointer is taken out of a slot under a lock, the slot is empty then, and another thread fills it again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>

static int number;
static int *slot = &number;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *take(void) {
    pthread_mutex_lock(&m);
    int *mine = slot;
    slot = NULL;
    pthread_mutex_unlock(&m);
    return mine;
}

static void *giver(void *arg) {
    (void)arg;
    int *mine = take();
    if (mine == NULL)
        return NULL;
    pthread_mutex_lock(&m);
    slot = mine;
    pthread_mutex_unlock(&m);
    (*mine)++;  // RACE! n1: it is no longer ours
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    slot = NULL;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    int *mine = slot;
    pthread_mutex_unlock(&m);
    if (mine != NULL)
        (*mine)++;  // RACE! n1: the slot was empty a moment ago
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, giver, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
