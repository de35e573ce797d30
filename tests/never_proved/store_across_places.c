// A word is stored at any byte: what is read at byte 3 may be a part of it, which is neither the old nor the new number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static struct word {
    int value;
} __attribute__((packed)) first;
static char bytes[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static int x;

static void *writes(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int i = atoi(getenv("N"));
    if (i < 0 || i > 8)
        return first.value;
    ((struct word *)(bytes + i))->value = 0x01010102;
    if (((struct word *)(bytes + 3))->value == 0x01010201) {
        pthread_create(&t, NULL, writes, NULL);
        x = 2;
        pthread_join(t, NULL);
    }
    return 0;
}
