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
// toml: [[entry]]
// toml: function = "fourth"
// toml: kind = "interrupt"
// toml: [[mask]]
// toml: disable = "save"
// toml: restore = "back"
void save(void);
void back(void);
int a, b, c;
void fourth(void) {
  save();
  back();
  c++;  // NORACE: nobody was let in -> separated(in-turn)
  back();
}
void first(void) {
  a++;  // NORACE: waits for the others -> separated(in-turn)
  c--;  // NORACE: -> separated(in-turn)
}
void second(void) {
  a--;  // NORACE: -> separated(in-turn)
  b--;  // RACE! b: comes while third runs
}
void third(void) {
  __asm__ volatile("sti" ::: "memory");
  b++;  // RACE! b: others were let in
}
