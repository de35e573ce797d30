// Threads that use a variable of a block and are joined when it has ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int rounds;

static void *first(void *arg) {
    *(int *)arg = 1;  // RACE! b1: main has left the block
    return NULL;
}

static void *second(void *arg) {
    *(int *)arg = 2;  // RACE! b2: main has left the loop
    return NULL;
}

int main(void) {
    pthread_t t;
    {
        int x = 0;
        pthread_create(&t, NULL, first, &x);  // RACE! b1: x ends behind it
    }
    pthread_join(t, NULL);
    for (int i = 0; i < 2; i++) {
        int y = i;
        if (i == 1) {
            pthread_create(&t, NULL, second, &y);
            break;
        }
        rounds++;
    }
    rounds++;  // RACE! b2: y has ended
    pthread_join(t, NULL);
    return 0;
}
