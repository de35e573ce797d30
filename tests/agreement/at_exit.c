// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exit handlers run in reverse; constructors and destructors; exit code of exit.
#include <stdio.h>
#include <stdlib.h>
static void first(void) { printf("first\n"); } static void second(void) { printf("second\n"); }
__attribute__((constructor)) static void begin(void) { printf("begin\n"); } __attribute__((destructor)) static void end(void) { printf("end\n"); }
int main(void) { atexit(first); atexit(second); printf("main\n"); exit(300 % 256 + 7); }
