// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a spin lock taken with memory_order_consume orders nothing; clang makes acquire of it.
#include <pthread.h>
#include <stdatomic.h>
int g; _Atomic int x, y;
void *p(void *a) { while (atomic_exchange_explicit(&x, 1, memory_order_consume)) ; g++; atomic_store_explicit(&x, 0, memory_order_release); return 0; }
void *q(void *a) { p(a); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, p, 0); pthread_create(&u, 0, q, 0); return 0; }
