// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in the lists of the runtime, by the sections that a program names itself.
#include <stdio.h>
static void early(void) { printf("early\n"); }
static void middle(void) { printf("middle\n"); }
static void last(void) { printf("last\n"); }
__attribute__((section(".init_array"), used)) static void (*one)(void) = middle;
__attribute__((section(".init_array.00101"), used)) static void (*two[])(void) = {early, early};
__attribute__((section(".fini_array"), used)) static void (*three)(void) = last;
__attribute__((constructor(102))) static void constructor(void) { printf("constructor\n"); }
int main(void) {
  printf("main\n");
  return 0;
}
