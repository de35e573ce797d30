// Atomics without an order, and nothing else that could make one.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int flag;

static void *first(void *unused) {
  x = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
  }
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
