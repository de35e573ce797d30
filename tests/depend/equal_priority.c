// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks of equal priority wait for each other.
int a, b;
int in(void);
void out(int);

void low_one(void) {
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
}
void low_two(void) {
  a = in();                     // @wa
}
void high(void) {
  b = in();                     // @wb
}
// toml: [[entry]]
// toml: function = "low_one"
// toml: kind = "task"
// toml: priority = 3
// toml: [[entry]]
// toml: function = "low_two"
// toml: kind = "cyclic"
// toml: priority = 3
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: priority = 4
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
