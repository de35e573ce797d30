// What was not run would have written to a channel that another thread asks.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int p[2], flag, x;

static void *sender(void *a) {
    pthread_mutex_lock(&m);
    int is_set = flag;
    pthread_mutex_unlock(&m);
    if (is_set)
        write(p[1], "a", 1);
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
    pipe(p);
    fcntl(p[0], F_SETFL, O_NONBLOCK);
    pthread_create(&s, 0, sender, 0);
    pthread_create(&t, 0, setter, 0);
    char c;
    if (read(p[0], &c, 1) == 1)
        x = 2;
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
