// Threads that use a variable of a block and are joined before it ends, whatever way the block is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_t t;
static int rounds;

static void *worker(void *arg) {
    ++*(int *)arg;
    return NULL;
}

static void use(int *x) {
    pthread_create(&t, NULL, worker, x);
    pthread_join(t, NULL);
}

static void join(int *unused) {
    (void)unused;
    pthread_join(t, NULL);
}

static void by_goto(void) {
    int n = 0;
again: {
    int x = n;
    use(&x);
    if (++n < 2)
        goto again;
}
    rounds++;
}

static void by_break(void) {
    for (int i = 0; i < 3; i++) {
        int x = i;
        use(&x);
        if (i == 0)
            continue;
        if (i == 1)
            break;
        rounds++;
    }
    rounds++;
}

static void by_cleanup(void) {
    {
        int x = 0;
        int guard __attribute__((cleanup(join))) = 0;
        pthread_create(&t, NULL, worker, &x);
    }
    rounds++;
}

static int by_value(void) {
    return ({
        int x = 1;
        use(&x);
        x;
    });
}

int main(void) {
    by_goto();
    by_break();
    by_cleanup();
    rounds += by_value();
    switch (rounds) {
    case 0: {
        int x = 0;
        use(&x);
        break;
    }
    default: rounds = 3;
    }
    return rounds == 0;
}
