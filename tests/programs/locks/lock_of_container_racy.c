// One thread is given a part of an object and goes back to the whole, but takes another of its locks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct list {
    int users;
};
struct work {
    int kind;
};
struct owner {
    pthread_mutex_t lock, other;
    struct list *list;
    struct work work;
};

static void *by_part(void *arg) {
    struct work *part = arg;
    struct owner *whole = (struct owner *)((char *)part - offsetof(struct owner, work));
    pthread_mutex_lock(&whole->other);
    whole->list->users++;  // RACE! u1: under another lock of the owner
    pthread_mutex_unlock(&whole->other);
    return NULL;
}

static void *by_whole(void *arg) {
    struct owner *whole = arg;
    pthread_mutex_lock(&whole->lock);
    whole->list->users--;  // RACE! u1: under the owner's lock
    pthread_mutex_unlock(&whole->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct owner *one = calloc(1, sizeof *one);
    pthread_mutex_init(&one->lock, NULL);
    pthread_mutex_init(&one->other, NULL);
    one->list = calloc(1, sizeof *one->list);
    pthread_create(&a, NULL, by_part, &one->work);
    pthread_create(&b, NULL, by_whole, one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
