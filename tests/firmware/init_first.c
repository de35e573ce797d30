// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What initialises runs before everybody else; main runs beside the interrupts from the start.
// toml: [[entry]]
// toml: function = "setup"
// toml: kind = "init"
int a, b;
void setup(void) {
  a = 1;  // NORACE: nobody else runs yet -> separated(in-turn)
}
void isr1(void) {
  a++;  // NORACE: -> separated(in-turn)
  b++;  // RACE! b: comes while main runs
}
int main(void) {
  b = 2;  // RACE! b: the other half
  return 0;
}
