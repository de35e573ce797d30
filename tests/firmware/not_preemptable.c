// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that is not preemptable is interrupted by interrupts alone.
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
// toml: priority = 0
// toml: preemptable = false
int a, b;
void low(void) {
  a++;  // NORACE: the other one is a task -> separated(in-turn)
  b++;  // RACE! b: an interrupt comes
}
void task(void) {
  a--;  // NORACE: low does not let itself be preempted -> separated(in-turn)
}
void isr1(void) {
  b--;  // RACE! b: the other half
}
