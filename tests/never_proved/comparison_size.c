// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcmp tells the sign of its result: some libraries give -1, some -2.
#include <pthread.h>
#include <string.h>

int x;
char small[] = "a", large[] = "c";

void *work(void *given) {
  (void)given;
  if (memcmp(small, large, 1) != -1) x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
