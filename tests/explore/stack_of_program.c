// The frames of a thread lie in an array of the program, which another thread looks at.
// EXPECT: unknown: a thread is given a stack of the program's own
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static char stack[1 << 20] __attribute__((aligned(65536)));
static int found;

static void *one(void *unused) {
    volatile char mine[1000];
    for (int i = 0; i < 1000; i++) mine[i] = 3;
    return unused;
}

static void *look(void *unused) {
    for (unsigned i = 0; i < sizeof stack; i += 4096) found += stack[i] == 3;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    pthread_create(&first, &attributes, one, NULL);
    pthread_create(&second, NULL, look, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
