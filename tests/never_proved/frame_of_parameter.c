// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parameter passed by value ends with its function, wherever the copy lies.
#include <pthread.h>
struct Big {
  int v[40];
};
int x;
static void* worker(void* a) {
  x = ((struct Big*)a)->v[3];
  return 0;
}
static pthread_t start(struct Big big) {
  pthread_t t;
  pthread_create(&t, 0, worker, &big);
  return t;
}
int main(void) {
  struct Big big = {{0}};
  pthread_t t = start(big);
  pthread_join(t, 0);
  return 0;
}
