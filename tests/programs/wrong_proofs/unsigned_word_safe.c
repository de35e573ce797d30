// An unsigned int that keeps sixteen bits is never above three billion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

int main(void) {
    pthread_t t;
    unsigned size = 0;
    sscanf("4000000000", "%u", &size);
    size &= 0xffff;
    uint64_t total = size;
    pthread_create(&t, NULL, bump, NULL);
    if (total > 3000000000u)
        counter = 2;  // NORACE: total is at most 65535
    pthread_join(t, NULL);
    return 0;
}
