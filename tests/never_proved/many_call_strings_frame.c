// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of a function with a thousand call strings ends while a thread still uses a variable of it.
#include <pthread.h>

static int count;
static pthread_t t;
static void *work(void *cell) {
  ++*(int *)cell;
  return 0;
}
static void start(int *cell) {
  if (++count == 700) pthread_create(&t, 0, work, cell);
}
static void leaf(void) {
  int mine = 0;
  start(&mine);
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

int main(void) {
  tree_9();
  tree_9();
  pthread_join(t, 0);
  return 0;
}
