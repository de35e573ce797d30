// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text ends at its first zero: what lies behind it is not copied.
#include <string.h>
char own[8], empty[8];
void out(int);

void low(void) {
  out(empty[1]);                // @a1
  strcpy(own, empty);           // @a2
}

void tick(void) {
  empty[1] = 7;                 // @wa
}
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
// toml: priority = 1
// toml: [[entry]]
// toml: function = "tick"
// toml: kind = "interrupt"
// toml: priority = 2
// NEVER: empty R@a1 W@wa R@a2
