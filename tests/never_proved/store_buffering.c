// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// store buffering: with relaxed accesses both threads may read 0, which no interleaving shows.
#include <pthread.h>
#include <stdatomic.h>
int g; _Atomic int x, y;
void *p(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed); if (!atomic_load_explicit(&y, memory_order_relaxed)) g++; return 0; }
void *q(void *a) { atomic_store_explicit(&y, 1, memory_order_relaxed); if (!atomic_load_explicit(&x, memory_order_relaxed)) g++; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, p, 0); pthread_create(&u, 0, q, 0); return 0; }
