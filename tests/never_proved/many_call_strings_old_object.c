// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object is handed to a thread and used by main too. It came from a function with a thousand call strings, which has
// made newer objects since, and from below a call that knew nothing of it.
#include <pthread.h>
#include <stdlib.h>

static int *newest;

static int *make(void) { return calloc(1, sizeof(int)); }
static void leaf(void) {
  free(newest);
  newest = make();
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

static void *work(void *cell) {
  ++*(int *)cell;
  return cell;
}

static void other(void) { tree_1(); }

int main(void) {
  tree_9();
  int *mine = make();
  other();
  pthread_t t;
  if (mine == 0 || pthread_create(&t, 0, work, mine) != 0) return 1;
  other();
  ++*mine;
  pthread_join(t, 0);
  return *mine;
}
