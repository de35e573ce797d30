// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks of one priority run in turn.
// toml: [[entry]]
// toml: function = "other"
// toml: kind = "task"
// toml: priority = 1
int a, b;
void task(void) {
  a++;  // NORACE: same priority -> separated(in-turn)
  b++;  // RACE! b: isr1 is above both
}
void other(void) {
  a--;  // NORACE: same priority -> separated(in-turn)
  b--;  // RACE! b: isr1 is above both
}
void isr1(void) {
  b = 0;  // RACE! b: the other half
}
