// The nearest program without the race: both write under the lock.
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
    data = 1;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    atomic_store(&at, (uintptr_t)cells);
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[1];
    if (seen) data = 2;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
