// Union members that overlap are one memory location.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

union cell {
    struct {
        int low, high;
    } halves;
    long long whole;
    struct {
        int first, second;
    } pair;
};

static union cell cell;

static void *one(void *arg) {
    (void)arg;
    cell.halves.low = 1;  // RACE! u1: the other thread writes the whole
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    cell.whole = 2;  // RACE! u1: covers halves.low
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return cell.whole == 0;  // NORACE: after both joins
}
