// Figure 2 of CAV07 without the writes at 2b and 9b: what is left cannot happen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;  // so that it cannot deadlock
static pthread_mutex_t lk1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lk2 = PTHREAD_MUTEX_INITIALIZER;
static int left, right, both;
static int data;

static void *one(void *arg) {
    (void)arg;
    left = 1;  // NORACE: only here
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&lk1);
    pthread_mutex_lock(&lk2);
    both = 1;  // NORACE: only here
    pthread_mutex_unlock(&lk2);
    pthread_mutex_unlock(&gate);
    data = 3;  // NORACE: 6a, holds lk1 and took lk2 since -> refuted(history)
    usleep(1000);
    pthread_mutex_unlock(&lk1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&lk2);
    pthread_mutex_lock(&lk1);
    right = 2;  // NORACE: only here
    pthread_mutex_unlock(&lk1);
    pthread_mutex_unlock(&gate);
    data = 2;  // NORACE: 6b, holds lk2 and took lk1 since -> refuted(history)
    pthread_mutex_unlock(&lk2);
    pthread_mutex_lock(&lk2);
    pthread_mutex_unlock(&lk2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data < 0;  // NORACE: after both joins
}
