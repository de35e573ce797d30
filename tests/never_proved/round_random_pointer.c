// The same where the function that draws is called through a pointer.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int x;
static int (*volatile draw)(void) = rand;

static void *wait(void *unused) {
    while (!atomic_load(&flag)) {
        if (draw() % 7 == 3) {
            x = 1;
            break;
        }
    }
    return unused;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, wait, 0);
    x = 2;
    pthread_join(h, 0);
    return 0;
}
