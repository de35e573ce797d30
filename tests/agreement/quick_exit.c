// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _exit runs nothing more.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void never(void) { printf("never\n"); }
int main(void) { atexit(never); printf("out\n"); fflush(stdout); _exit(9); }
