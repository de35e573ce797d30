// Was proved: a pointer that an atomic addition moves on was held to lead where it led before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int cells[2], data;
static _Atomic(int *) at = cells;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    atomic_fetch_add(&at, 1);
    *atomic_load(&at) = 1;
    pthread_mutex_unlock(&m);
    data = 1;  // RACE! c1: the reader has seen the second cell
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[1];
    pthread_mutex_unlock(&m);
    if (seen) data = 2;  // RACE! c1: the writer has given back the lock
    pthread_join(t, NULL);
    return 0;
}
