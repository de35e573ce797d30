// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The character that ends a text is found, too.
#define _GNU_SOURCE
#include <pthread.h>
#include <strings.h>
static int hit, counter;
static void *count(void *unused) {
  if (hit) counter++;
  return unused;
}
int main(void) {
  pthread_t first, second;
  char text[] = "ab";
  hit = index(text, 0) == text + 2;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
