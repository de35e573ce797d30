// An array of lists with one lock each; one side empties a list under its neighbour's lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

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
        b->head = n;  // RACE! h1: holds the lock of its own list
        pthread_mutex_unlock(&b->m);
    }
    return NULL;
}

static void *clear(void *arg) {
    (void)arg;
    usleep(5000);
    pthread_mutex_lock(&table[0].m);
    table[1].head = NULL;  // RACE! h1: holds the lock of list 0
    pthread_mutex_unlock(&table[0].m);
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
