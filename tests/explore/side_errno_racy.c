// What was not run would have left an error number behind.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, x;

static void *closer(void *a) {
    errno = 0;
    pthread_mutex_lock(&m);
    int is_set = flag;
    pthread_mutex_unlock(&m);
    if (is_set)
        close(-1);
    if (errno == EBADF)
        x = 2;
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
    pthread_create(&s, 0, closer, 0);
    pthread_create(&t, 0, setter, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
