// POSIX spinlocks: the two sides spin on different ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_spinlock_t s1, s2;
static int counter;

static void *one(void *arg) {
    (void)arg;
    pthread_spin_lock(&s1);
    counter++;  // RACE! c1: holds only s1
    pthread_spin_unlock(&s1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_spin_lock(&s2);
    counter++;  // RACE! c1: holds only s2
    pthread_spin_unlock(&s2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&s1, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&s2, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
