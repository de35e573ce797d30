// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <assert.h>
#include <stdio.h>
int main(void) { int x = 3; printf("before\n"); fflush(stdout); assert(x == 4); printf("after\n"); return 0; }
