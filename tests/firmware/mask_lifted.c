// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An interrupt that is not masked lets the masked one in.
// toml: [[entry]]
// toml: function = "other"
// toml: kind = "task"
// toml: priority = 1
void off(int);
void on(int);
int a, b;
void task(void) {
  off(2);
  a++;  // RACE! a: isr1 comes and says on(2)
  on(2);
  off(3);
  b++;  // NORACE: nobody lets isr3 in -> separated(masked)
  on(3);
}
void isr1(void) {
  on(2);
}
static void cover(void) {
  off(2);
  off(1);
}
void other(void) {
  cover();
  a++;  // RACE! a: isr1 came between the two, and said on(2)
  on(-1);
}
void isr2(void) {
  a--;  // RACE! a: the other half
}
void isr3(void) {
  b--;  // NORACE: -> separated(masked)
}
