// Disjoint chunks of an array for each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct range {
    int low, high;
};

static int data[9];
static struct range ranges[2] = {{0, 4}, {4, 8}};

static void *fill(void *arg) {
    const struct range *mine = arg;
    for (int i = mine->low; i < mine->high; i++)
        data[i] = i;  // NORACE: the chunks are disjoint -> separated(other-bytes)
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, fill, &ranges[0]);
    pthread_create(&b, NULL, fill, &ranges[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data[3] != 3;  // NORACE: after both joins
}
