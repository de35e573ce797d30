// A pointer is taken out of a slot under a lock, the slot is empty then, and filled again behind the last use.
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
    (*mine)++;  // NORACE: it is ours
    pthread_mutex_lock(&m);
    slot = mine;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    slot = NULL;
    pthread_mutex_unlock(&m);
    int *mine = take();
    if (mine != NULL)
        (*mine)++;  // NORACE: taken out of the slot
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
