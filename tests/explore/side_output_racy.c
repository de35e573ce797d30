// What was not run prints what another thread writes.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static char name[8] = "a";

static void *printer(void *a) {
    pthread_mutex_lock(&m);
    int is_set = flag;
    pthread_mutex_unlock(&m);
    if (is_set)
        fprintf(stderr, "%s\n", name);
    return 0;
}

static void *setter(void *a) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    name[0] = 'b';
    return 0;
}

int main() {
    pthread_t s, t;
    pthread_create(&s, 0, printer, 0);
    pthread_create(&t, 0, setter, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
