// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function that two tasks call: masked by one of them.
// toml: [[entry]]
// toml: function = "other"
// toml: kind = "task"
// toml: priority = 1
void off(int);
void on(int);
int a, b;
static void add(int *p) {
  *p += 1;  // RACE! a: by the way of `other`
}
static void add_b(void) {
  b++;  // NORACE: both mask -> separated(masked)
}
void task(void) {
  off(1);
  add(&a);
  add_b();
  on(1);
}
void other(void) {
  add(&a);
  off(-1);
  add_b();
  on(-1);
}
void isr1(void) {
  a = 0;  // RACE! a: the other half
  b = 0;  // NORACE: -> separated(masked)
}
