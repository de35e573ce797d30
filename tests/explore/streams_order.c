// The lock of the stream orders what two atomics without an order do not: no race, and no proof of that.
// EXPECT: unknown: may order threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

int x;
atomic_int flag;

static void *first(void *unused) {
  x = 1;
  puts("a");
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
  }
  puts("b");
  x = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return x;
}
