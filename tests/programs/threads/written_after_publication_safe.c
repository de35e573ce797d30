// A record is written for the last time before others can find it; they write it under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *arg) {
    (void)arg;
    struct node *n = malloc(sizeof *n);
    if (n == NULL) return NULL;
    n->value = 1;  // NORACE: nobody else knows it
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *changes(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (head != NULL) head->value = 3;  // NORACE: under the lock
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, adds, NULL);
    pthread_create(&b, NULL, changes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
