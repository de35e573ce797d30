// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The platform shares time between tasks of one priority.
// toml: [system]
// toml: equal_priority = "preempts"
// toml: [[entry]]
// toml: function = "other"
// toml: kind = "task"
// toml: priority = 1
int a;
void task(void) {
  a++;  // RACE! a: the other task gets its turn here
}
void other(void) {
  a--;  // RACE! a: the other half
}
