// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly outside of functions makes y another name of x.
#include <pthread.h>
int x;
extern int y;
__asm__(".globl y\n.set y,x");
static void* one(void* a) {
  x = 1;
  return a;
}
static void* other(void* a) {
  y = 1;
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
