// An unsigned char that keeps seven bits is never above 200.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

int main(void) {
    pthread_t t;
    unsigned char level = 0;
    sscanf("251", "%hhu", &level);
    level &= 127;
    pthread_create(&t, NULL, bump, NULL);
    if (level > 200)
        counter = 2;  // NORACE: level is at most 127
    pthread_join(t, NULL);
    return 0;
}
