// container_of from a list link: lock and value belong to the same element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>

struct link {
    struct link *next;
};

struct item {
    int value;
    struct link link;
    pthread_mutex_t m;
};

#define item_of(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))

static struct item items[2];

static void *direct(void *arg) {
    (void)arg;
    pthread_mutex_lock(&items[0].m);
    items[0].value++;  // NORACE: both sides hold items[0].m
    pthread_mutex_unlock(&items[0].m);
    return NULL;
}

static void *by_link(void *arg) {
    (void)arg;
    struct link *l = &items[0].link;
    struct item *guard = item_of(l);
    pthread_mutex_lock(&guard->m);
    item_of(l)->value++;  // NORACE: both sides hold items[0].m
    pthread_mutex_unlock(&guard->m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 2; i++) {
        items[i].link.next = &items[1 - i].link;
        pthread_mutex_init(&items[i].m, NULL);
    }
    pthread_create(&a, NULL, direct, NULL);
    pthread_create(&b, NULL, by_link, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return items[0].value != 2;  // NORACE: after both joins
}
