// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without priorities interrupts wait for each other, unless a handler lets others in.
// toml: [[entry]]
// toml: function = "first"
// toml: kind = "interrupt"
// toml: [[entry]]
// toml: function = "second"
// toml: kind = "interrupt"
// toml: [[entry]]
// toml: function = "third"
// toml: kind = "interrupt"
int a, b;
void first(void) {
  a++;  // NORACE: waits for the others -> separated(in-turn)
}
void second(void) {
  a--;  // NORACE: -> separated(in-turn)
  b--;  // RACE! b: comes while third runs
}
void third(void) {
  __asm__ volatile("sti" ::: "memory");
  b++;  // RACE! b: others were let in
}
