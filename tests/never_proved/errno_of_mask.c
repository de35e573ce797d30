// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no such way to change the mask.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <errno.h>
static int hit, counter;
static void *count(void *unused) {
  if (hit) counter++;
  return unused;
}
int main(void) {
  pthread_t first, second;
  sigset_t set;
  sigemptyset(&set);
  errno = 0;
  sigprocmask(77, &set, 0);
  hit = errno == EINVAL;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
