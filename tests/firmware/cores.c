// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On two cores priorities and masks keep nobody away; one critical section at a time.
// toml: [system]
// toml: cores = 2
// toml: [[critical_section]]
// toml: begin = "enter"
// toml: end = "leave"
// toml: [[critical_section]]
// toml: begin = "enter_bus"
// toml: end = "leave_bus"
// toml: name = "bus"
void off(int);
void on(int);
void enter(void);
void leave(void);
void enter_bus(void);
void leave_bus(void);
int a, b, c, d;
void task(void) {
  off(-1);
  a++;  // RACE! a: isr1 runs on the other core
  on(-1);
  enter();
  b++;  // NORACE: both in the section -> separated(common-lock)
  c++;  // RACE! c: isr1 is in none
  d++;  // RACE! d: isr1 is in another one
  leave();
}
void isr1(void) {
  a--;  // RACE! a: the other half
  enter();
  b--;  // NORACE: both in the section -> separated(common-lock)
  leave();
  c--;  // RACE! c: no section
  enter_bus();
  d--;  // RACE! d: the other section
  leave_bus();
}
