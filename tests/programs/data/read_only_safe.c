// A table that is only read once the threads run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int table[4];

static void *reader(void *arg) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += table[i];  // NORACE: nobody writes any more
    *(int *)arg = sum;
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    int sum = table[2];  // NORACE: only read
    (void)sum;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int sum;
    for (int i = 0; i < 4; i++)
        table[i] = i;  // NORACE: before the threads start
    pthread_create(&a, NULL, reader, &sum);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum < 6;  // NORACE: after both joins
}
