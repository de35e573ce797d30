// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No priorities, but an order.
// toml: [[entry]]
// toml: function = "high"
// toml: kind = "task"
// toml: above = ["low"]
// toml: [[entry]]
// toml: function = "low"
// toml: kind = "task"
void off(int);
void on(int);
int a, b;
void low(void) {
  off(-1);
  a++;  // NORACE: no scheduler runs now -> separated(masked)
  on(-1);
  b++;  // RACE! b: high comes
}
void high(void) {
  a--;  // NORACE: low does not come in between -> separated(masked)
  b--;  // RACE! b: the other half
}
