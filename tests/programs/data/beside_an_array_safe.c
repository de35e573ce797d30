// What a loop stores in an array leaves the members before and behind it alone, and what is read from the array is none
// of them.
// NOT-RUNNABLE: needs N in its environment
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int x, y;
static struct {
    int *before;
    int *to[4];
    long skips[8];
    int *behind;
} ways = {.before = &y, .behind = &y};
static char text[64];

static void *worker(void *arg) {
    *ways.before = 1;                                   // NORACE: it leads to y, as it did
    *ways.behind = 1;                                   // NORACE: so does this
    text[ways.skips[atoi(getenv("N")) & 7] & 63] = 'a'; // NORACE: a number, so the place is in the text
    return arg;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 4; ++i)
        ways.to[i] = &x;
    for (int i = 0; i < 8; ++i)
        ways.skips[i] = 3 * i;
    pthread_create(&t, NULL, worker, NULL);
    x = 2; // NORACE: only the array leads here
    pthread_join(t, NULL);
    return 0;
}
