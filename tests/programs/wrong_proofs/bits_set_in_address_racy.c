// Was proved: a pointer in which an atomic operation sets a bit was held to lead where it led before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) int cells[16];
static int data;
static atomic_uintptr_t at;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    atomic_fetch_or(&at, sizeof(int));
    *(int *)atomic_load(&at) = 1;
    pthread_mutex_unlock(&m);
    data = 1;  // RACE! c1: the reader has seen the second cell
    return NULL;
}

int main(void) {
    pthread_t t;
    atomic_store(&at, (uintptr_t)cells);
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[1];
    pthread_mutex_unlock(&m);
    if (seen) data = 2;  // RACE! c1: the writer has given back the lock
    pthread_join(t, NULL);
    return 0;
}
