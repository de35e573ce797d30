// RELAY, Figure 9: the object that is used without the lock stays in the list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static struct node {
    struct node *next;
    int virt;
} nodes[4];
static struct node *pool, *used;
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&pool_lock);
    struct node *n = pool;
    pthread_mutex_unlock(&pool_lock);
    if (n == NULL) return NULL;
    n->virt = 1;  // RACE! v1: every thread finds the same
    pthread_mutex_lock(&used_lock);
    n->next = used;  // NORACE: each holds used_lock
    used = n;
    pthread_mutex_unlock(&used_lock);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 4; i++) {
        nodes[i].next = pool;
        pool = &nodes[i];
    }
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
