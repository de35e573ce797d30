// Rounds of the loop differ by a local array whose address stays in the function, a small one and a large one.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int x;

static void *wait(void *unused) {
    int few[4] = {0}, many[40] = {0};
    unsigned i = 0;
    while (!atomic_load(&flag)) {
        ++few[i % 4];
        if (few[2] == 2) break;
        i = (i + 1) % 4;
    }
    i = 0;
    while (!atomic_load(&flag)) {
        ++many[i % 4];
        if (many[2] == 2) {
            x = 1;
            break;
        }
        i = (i + 1) % 4;
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
