// %n writes.
// EXPECT: unknown: a library call may touch memory that another thread accesses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static int length;

static void *one(void *unused) {
    printf("hello%n\n", &length);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, one, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
