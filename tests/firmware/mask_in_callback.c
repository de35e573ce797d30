// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library calls back a function that ends the mask.
#include <stdlib.h>
void off(int);
void on(int);
int a, b, table[4];
static int compare(const void *x, const void *y) {
  on(1);
  return *(const int *)x - *(const int *)y;
}
static int compare_masked(const void *x, const void *y) {
  off(2);
  return *(const int *)x - *(const int *)y;
}
void task(void) {
  off(1);
  qsort(table, 4, sizeof(int), compare);
  a++;  // RACE! a: interrupt 1 was let in
  on(1);
  qsort(table, 0, sizeof(int), compare_masked);
  b++;  // RACE! b: nobody called it
  on(2);
}
void isr1(void) {
  a--;  // RACE! a: the other half
}
void isr2(void) {
  b--;  // RACE! b: the other half
}
