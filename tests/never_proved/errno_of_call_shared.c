// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread reads main's errno while a call of main sets it.
// EXPECT: race-free: code-without-hooks
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
static int *address;
static void *reads(void *unused) { return *address == 7 ? unused : 0; }
int main(void) {
  pthread_t thread;
  address = &errno;
  pthread_create(&thread, 0, reads, 0);
  close(-1);
  return 0;
}
