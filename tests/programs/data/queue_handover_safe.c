// Ownership handed over through a queue: only the owner touches the item.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct item {
    int value;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct item *slot;

static void *producer(void *arg) {
    (void)arg;
    struct item *mine = malloc(sizeof *mine);
    mine->value = 1;  // NORACE: still the owner
    pthread_mutex_lock(&m);
    slot = mine;  // NORACE: under m
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (slot == NULL)  // NORACE: under m
        pthread_cond_wait(&filled, &m);
    struct item *mine = slot;  // NORACE: under m
    slot = NULL;  // NORACE: under m
    pthread_mutex_unlock(&m);
    mine->value++;  // NORACE: the only owner now
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
