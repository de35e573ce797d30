// Each round of the loop adds one to a value that the library keeps for the thread: none is like the one before.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static pthread_key_t key;
static int x;

static void *wait(void *unused) {
    while (!atomic_load(&flag)) {
        const long n = (long)pthread_getspecific(key);
        pthread_setspecific(key, (void *)(n + 1));
        if (n == 3) {
            x = 1;
            break;
        }
    }
    return unused;
}

int main(void) {
    pthread_t h;
    pthread_key_create(&key, 0);
    pthread_create(&h, 0, wait, 0);
    x = 2;
    pthread_join(h, 0);
    return 0;
}
