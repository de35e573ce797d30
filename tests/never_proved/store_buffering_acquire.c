// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// release and acquire do not forbid store buffering either.
#include <pthread.h>
#include <stdatomic.h>
int g; _Atomic int x, y;
void *p(void *a) { atomic_store_explicit(&x, 1, memory_order_release); if (!atomic_load_explicit(&y, memory_order_acquire)) g++; return 0; }
void *q(void *a) { atomic_store_explicit(&y, 1, memory_order_release); if (!atomic_load_explicit(&x, memory_order_acquire)) g++; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, p, 0); pthread_create(&u, 0, q, 0); return 0; }
