// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What never runs together, for a reason that is not in the code.
// toml: [[exclusion]]
// toml: entries = ["task", "isr1"]
// toml: reason = "parked against driving"
int a, b;
void task(void) {
  a++;  // NORACE: reality rule -> separated(in-turn)
  b++;  // RACE! b: with isr2
}
void isr1(void) {
  a--;  // NORACE: reality rule -> separated(in-turn)
}
void isr2(void) {
  b--;  // RACE! b: the other half
}
