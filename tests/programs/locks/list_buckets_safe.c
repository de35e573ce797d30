// An array of lists with one lock each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

struct bucket {
    pthread_mutex_t m;
    struct node *head;
};

static struct bucket table[2] = {{PTHREAD_MUTEX_INITIALIZER, NULL}, {PTHREAD_MUTEX_INITIALIZER, NULL}};

static void *fill(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        struct bucket *b = &table[i];
        struct node *n = malloc(sizeof *n);
        n->next = NULL;
        pthread_mutex_lock(&b->m);
        b->head = n;  // NORACE: under the lock of the list
        pthread_mutex_unlock(&b->m);
    }
    return NULL;
}

static void *clear(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table[1].m);
    table[1].head = NULL;  // NORACE: under the lock of the list
    pthread_mutex_unlock(&table[1].m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, clear, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return table[0].head == NULL;  // NORACE: after both joins
}
