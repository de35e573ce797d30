// There are only so many nanoseconds in a second: the call fails at once.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <time.h>

static int counter;

static void *one(void *unused) {
    if (nanosleep(&(struct timespec){0, -1}, NULL) != 0) counter++;
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
