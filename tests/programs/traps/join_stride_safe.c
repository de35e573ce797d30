// Joins with a stride of two, in two loops that cover every thread.
// Decided by running it; statically: joins with a step of two are not added up
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int slots[4];

static void *worker(void *arg) {
    *(int *)arg = 1;  // NORACE: joined before main reads
    return NULL;
}

int main(void) {
    pthread_t t[4];
    int sum = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, worker, &slots[i]);
    for (int i = 0; i < 4; i += 2)
        pthread_join(t[i], NULL);
    for (int i = 1; i < 4; i += 2)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 4; i++)
        sum += slots[i];  // NORACE: every thread is joined
    return sum < 2;
}
