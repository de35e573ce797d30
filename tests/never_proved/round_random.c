// Rounds of the loop differ by a number that the library draws.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int x;

static void *wait(void *unused) {
    while (!atomic_load(&flag)) {
        const int number = rand() % 7;
        if (number == 3) {
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
