// A lock in memory that is allocated while threads run.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct s {
    pthread_mutex_t m;
    int v;
};
static void *n(void *a) {
    return 0;
}

static void *worker(void *a) {
    struct s *s = a;
    pthread_mutex_lock(&s->m);
    s->v++;
    pthread_mutex_unlock(&s->m);
    return 0;
}

int main() {
    pthread_t thread, g;
    pthread_create(&g, 0, n, 0);
    struct s *s = calloc(1, sizeof *s);
    pthread_mutex_init(&s->m, 0);
    pthread_create(&thread, 0, worker, s);
    worker(s);
    pthread_join(thread, 0);
    pthread_join(g, 0);
    pthread_mutex_destroy(&s->m);
    free(s);
    return 0;
}
