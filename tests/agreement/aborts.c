// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
int main(void) { abort(); }
