// A table read by all threads, and one of them repairs an entry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int table[4];

static void *reader(void *arg) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += table[i];  // RACE! t1: the other thread writes
    *(int *)arg = sum;
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    table[2] = 9;  // RACE! t1: the reader may be there
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
