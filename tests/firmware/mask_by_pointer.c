// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls through pointers end masks, and begin none that one could rely on.
// toml: [[entry]]
// toml: function = "choose"
// toml: kind = "init"
void off(int);
void on(int);
int a, b;
void (*let_in)(int) = on;
void (*mask)(int) = off;
void choose(int n) {
  let_in = n ? on : off;  // NORACE: before all others -> separated(in-turn)
  mask = n ? on : off;    // NORACE: likewise -> separated(in-turn)
}
void task(void) {
  off(1);
  let_in(1);  // NORACE: written before all others -> separated(in-turn)
  a++;  // RACE! a: let in by a pointer
  on(1);
  mask(1);  // NORACE: likewise -> separated(in-turn)
  b++;  // RACE! b: perhaps not masked
  on(1);
}
void isr1(void) {
  a--;  // RACE! a: the other half
  b--;  // RACE! b: the other half
}
