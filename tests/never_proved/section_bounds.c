// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker's name for the beginning of a section is another name of the variable that lies there.
#include <pthread.h>
int x __attribute__((section("mine"), used));
extern int __start_mine[];
static void* one(void* a) {
  x = 1;
  return a;
}
static void* other(void* a) {
  __start_mine[0] = 1;
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
