// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A new thread reads its handle, which pthread_create may not have written yet.
// EXPECT: unknown: handle of a thread
#include <pthread.h>
struct Worker {
  pthread_t t;
  int v;
} workers[3];
static void* run(void* a) {
  struct Worker* w = a;
  w->v = w->t != 0;
  return 0;
}
int main(void) {
  for (int i = 0; i < 3; i++) pthread_create(&workers[i].t, 0, run, &workers[i]);
  for (int i = 0; i < 3; i++) pthread_join(workers[i].t, 0);
  return 0;
}
