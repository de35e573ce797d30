// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand call strings lead to one function, of which the last one has something to do.
#include <pthread.h>

static int counter;

static _Thread_local int calls;
static void leaf(void) {
  if (++calls == 512) counter++;  // RACE! c1: in both threads, without a lock
}
static void tree_0(void) { leaf(); }
static void tree_1(void) {
  tree_0();
  tree_0();
}
static void tree_2(void) {
  tree_1();
  tree_1();
}
static void tree_3(void) {
  tree_2();
  tree_2();
}
static void tree_4(void) {
  tree_3();
  tree_3();
}
static void tree_5(void) {
  tree_4();
  tree_4();
}
static void tree_6(void) {
  tree_5();
  tree_5();
}
static void tree_7(void) {
  tree_6();
  tree_6();
}
static void tree_8(void) {
  tree_7();
  tree_7();
}
static void tree_9(void) {
  tree_8();
  tree_8();
}

static void *work(void *unused) {
  tree_9();
  return unused;
}

int main(void) {
  pthread_t t;
  if (pthread_create(&t, 0, work, 0) != 0) return 1;
  tree_9();
  pthread_join(t, 0);
  return counter;
}
