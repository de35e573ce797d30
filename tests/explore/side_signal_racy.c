// What was not run would have called a handler.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, x;

static void handler(int number) { x = 2; }

static void *raiser(void *a) {
    pthread_mutex_lock(&m);
    int is_set = flag;
    pthread_mutex_unlock(&m);
    if (is_set)
        raise(SIGUSR1);
    return 0;
}

static void *setter(void *a) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    x = 1;
    return 0;
}

int main() {
    pthread_t s, t;
    signal(SIGUSR1, handler);
    pthread_create(&s, 0, raiser, 0);
    pthread_create(&t, 0, setter, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
