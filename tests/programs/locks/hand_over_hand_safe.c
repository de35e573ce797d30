// Hand-over-hand locking of a list: the next lock is taken before the last one is released.
// Decided by running it; statically: which node's lock is held is lost around the loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct node {
    pthread_mutex_t m;
    int value;
    struct node *next;
};

static struct node nodes[3];

static void *walk(void *arg) {
    (void)arg;
    struct node *n = &nodes[0];
    pthread_mutex_lock(&n->m);
    while (n->next != NULL) {
        struct node *next = n->next;
        pthread_mutex_lock(&next->m);
        pthread_mutex_unlock(&n->m);
        next->value++;  // NORACE: its own lock is held
        n = next;
    }
    pthread_mutex_unlock(&n->m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&nodes[i].m, NULL);
        nodes[i].next = i < 2 ? &nodes[i + 1] : NULL;
    }
    pthread_create(&a, NULL, walk, NULL);
    pthread_create(&b, NULL, walk, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return nodes[1].value + nodes[2].value != 4;  // NORACE: after both joins
}
