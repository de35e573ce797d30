// Union members that share no byte.
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
    cell.halves.low = 1;  // NORACE: bytes 0 to 3 -> separated(other-bytes)
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    cell.pair.second = 2;  // NORACE: bytes 4 to 7
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
