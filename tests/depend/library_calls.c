// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library functions read and write what they are given.
#include <string.h>
#include <stdio.h>
char text[8], other[8] = "abc", own[8];
int in(void);
void out(int);

void low(void) {
  out((int)strlen(text));       // @a1
  out((int)strlen(text));       // @a2
  out(other[1]);                // @b1
  strcpy(own, other);           // @b2
  out(own[0]);
}

void tick(void) {
  strcpy(text, "new");          // @wa
  other[1] = (char)in();        // @wb
}
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
// toml: priority = 1
// toml: [[entry]]
// toml: function = "tick"
// toml: kind = "interrupt"
// toml: priority = 2
// BUG: text R@a1 W@wa R@a2
// BUG: other R@b1 W@wb R@b2
