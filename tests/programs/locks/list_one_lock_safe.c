// A list guarded by one lock, also for a look at its head.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;  // NORACE: not published yet
    pthread_mutex_lock(&list_lock);
    n->next = head;  // NORACE: only this thread writes head
    head = n;  // NORACE: under list_lock
    pthread_mutex_unlock(&list_lock);
}

static void *producer(void *arg) {
    (void)arg;
    push(1);
    push(2);
    return NULL;
}

static void *observer(void *arg) {
    (void)arg;
    int empty;
    pthread_mutex_lock(&list_lock);
    empty = head == NULL;  // NORACE: under list_lock
    pthread_mutex_unlock(&list_lock);
    (void)empty;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, observer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return head == NULL;  // NORACE: after both joins
}
