// A handle overwritten by the second create: the first thread is never joined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int first, second;

static void *set_first(void *arg) {
    (void)arg;
    first = 1;  // RACE! f1: never joined
    return NULL;
}

static void *set_second(void *arg) {
    (void)arg;
    second = 1;  // NORACE: joined before main reads
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, set_first, NULL);
    pthread_create(&t, NULL, set_second, NULL);
    pthread_join(t, NULL);
    int sum = second;  // NORACE: after its join
    sum += first;  // RACE! f1: the handle of its writer is lost
    usleep(5000);
    return sum == 0;
}
