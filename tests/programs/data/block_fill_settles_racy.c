// The same, and main copies before it has waited for the second thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static struct pair {
    int a, b;
} both;
static int cells[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    cells[2] = cells[2] + 1;                // RACE! c: main copies it without m
    memset(&both.a, 0, 2 * sizeof(int));    // NORACE: m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    memset(&cells[0], 0, 2 * sizeof(int));
    pthread_create(&one, NULL, fill, NULL);
    pthread_create(&two, NULL, fill, NULL);
    pthread_join(one, NULL);
    pthread_mutex_lock(&m);
    memset(&both.a, 0, 2 * sizeof(int));
    pthread_mutex_unlock(&m);
    memcpy(&cells[0], &cells[2], 2 * sizeof(int));  // RACE! c: the second thread may be at it
    pthread_join(two, NULL);
    return 0;
}
