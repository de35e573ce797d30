// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the program beside the interrupts.
// toml: [system]
// toml: cores = 1
#include <pthread.h>
void off(int);
void on(int);
int a, b, c;
static void *worker(void *p) {
  a++;  // RACE! a: main and worker take turns at any time
  off(-1);
  b++;  // NORACE: nothing preempts it -> separated(masked)
  on(-1);
  return 0;
}
void isr1(void) {
  b--;  // NORACE: -> separated(masked)
}
int main(void) {
  pthread_t t;
  c = 1;  // NORACE: before the thread, and the interrupt does not touch it
  pthread_create(&t, 0, worker, 0);
  a--;  // RACE! a: the other half
  pthread_join(t, 0);
  return 0;
}
