// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getenv of a variable that is not set and of one that is.
#include <stdio.h>
#include <stdlib.h>
int main(void) { const char *p = getenv("HEDDLE_NOT_SET_ANYWHERE"), *q = getenv("PATH"); printf("%d %d\n", p == 0, q != 0 && q[0] != 0); return 0; }
