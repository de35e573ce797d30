// What was not run would have closed a file that another thread writes to.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int copy, flag, x;

static void *closer(void *a) {
    pthread_mutex_lock(&m);
    int is_set = flag;
    pthread_mutex_unlock(&m);
    if (is_set)
        close(copy);
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
    copy = dup(1);
    pthread_create(&s, 0, closer, 0);
    pthread_create(&t, 0, setter, 0);
    if (write(copy, "a", 1) < 0)
        x = 2;
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
