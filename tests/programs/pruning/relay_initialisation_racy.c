// RELAY, Figure 8: a new object is filled in after it was put into the list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct conn {
    struct conn *next;
    int family;
};
static struct conn *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int create(struct conn **out) {
    struct conn *c = malloc(sizeof *c);
    if (c == NULL) return -1;
    c->next = NULL;
    *out = c;
    return 0;
}

static void *worker(void *arg) {
    struct conn *c;
    (void)arg;
    if (create(&c) != 0) return NULL;
    pthread_mutex_lock(&lock);
    c->next = head;
    head = c;
    if (c->next != NULL) c->next->family++;  // RACE! f1: another thread's, which is filled in still
    pthread_mutex_unlock(&lock);
    c->family = 2;  // RACE! f1: it is in the list already
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
