// Every node of the list has the same kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct node {
    int kind;
    struct node *next;
};

static struct node *head;
static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: never started
    return NULL;
}

static void *idle(void *arg) {
    (void)arg;
    return NULL;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->kind = 5;
        node->next = head;
        head = node;
        pthread_create(&t, NULL, idle, NULL);
        pthread_join(t, NULL);
    }
    if (head->next->kind == 0) {
        pthread_create(&t, NULL, bump, NULL);
        counter = 1;  // NORACE: not reached, no node has kind 0
        pthread_join(t, NULL);
    }
    return 0;
}
