// A handle for each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int first, second;

static void *set_first(void *arg) {
    (void)arg;
    first = 1;  // NORACE: joined before main reads
    return NULL;
}

static void *set_second(void *arg) {
    (void)arg;
    second = 1;  // NORACE: joined before main reads
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_t u;
    pthread_create(&t, NULL, set_first, NULL);
    pthread_create(&u, NULL, set_second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    int sum = second;  // NORACE: after its join
    sum += first;  // NORACE: after its join
    return sum == 0;
}
