// memset over one half of a buffer, another thread writes the other half.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static char buffer[16];

static void *clear(void *arg) {
    (void)arg;
    memset(buffer, 1, 8);  // NORACE: bytes 0 to 7 -> separated(other-bytes)
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    buffer[11] = 1;  // NORACE: outside the cleared range
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, clear, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return buffer[11] != 1;  // NORACE: after both joins
}
